internal import Mail
internal import Synchronization

/// The mails that were sent and are still in the outbox: noted in the journal at once, deleted from the database many at a time.
final class SentMails: Sendable {
    private struct Noted {
        let record: SentJournal.Record
        let place: Int
    }

    private struct State {
        var noted: [Noted] = []
        /// Whether somebody will come for them.
        var isExpected = false
    }

    /// How long a note waits for company before it is written down.
    private static let patience = Duration.milliseconds(10)
    /// After a failure.
    private static let pause = Duration.seconds(1)

    private let journal: SentJournal
    private let state = Mutex(State())

    init(_ journal: SentJournal) {
        self.journal = journal
    }

    /// Notes a mail; false when there is no room.
    func note(_ record: SentJournal.Record, writer: GroupCommitWriter) -> Bool {
        guard let place = journal.add(record) else { return false }
        let mustCome = state.withLock { state in
            state.noted.append(Noted(record: record, place: place))
            defer { state.isExpected = true }
            return !state.isExpected
        }
        if mustCome { Task { await self.writeDown(writer, after: Self.patience) } }
        return true
    }

    private func writeDown(_ writer: GroupCommitWriter, after patience: Duration) async {
        var patience = patience
        while true {
            try? await Task.sleep(for: patience)
            do throws(StoreError) {
                try await flush(writer)
                return
            } catch .stopped {
                // The journal is there at the next start.
                return
            } catch {
                // Whoever needs the disk meets the same error and reports it.
                patience = Self.pause
            }
        }
    }

    /// Deletes what is noted so far; it is deleted when this returns.
    func flush(_ writer: GroupCommitWriter) async throws(StoreError) {
        let noted = state.withLock { state in
            defer { state.isExpected = false }
            return state.noted
        }
        guard !noted.isEmpty else { return }
        do throws(StoreError) {
            try await writer.write(.process) { transaction throws(StoreError) in
                for mail in noted { try transaction.deleteSent(mail.record) }
            }
        } catch {
            state.withLock { $0.isExpected = true }
            throw error
        }
        // Notes are added at the end only, and flushes that overlap delete the same ones twice, which does no harm.
        let ids = Set(noted.map(\.record.id))
        let gone = state.withLock { state in
            let gone = state.noted.filter { ids.contains($0.record.id) }
            state.noted.removeAll { ids.contains($0.record.id) }
            return gone
        }
        journal.release(gone.map(\.place))
    }

    /// Deletes what is noted so far within a transaction that is open, and leaves the notes; for whoever must not see a sent mail again.
    func delete(in transaction: SQLiteTransaction) throws(StoreError) {
        for mail in state.withLock({ $0.noted }) { try transaction.deleteSent(mail.record) }
    }

    /// Removes the file, at the very end.
    func removeJournal() { journal.remove() }
}
