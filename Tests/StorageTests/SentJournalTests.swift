import Mail
import Platform
import TestSupport
import Testing

@testable import ActionCodes
@testable import SQLiteStorage

@Suite struct SentJournalTests {
    private func record(_ id: Int64) -> SentJournal.Record { .init(id: id, token: (0..<12).map { UInt8(truncatingIfNeeded: id) &+ $0 }) }

    @Test func aRecordIsReadAsItWasWritten() {
        let bytes = SentJournal.bytes(record(0x0102_0304_0506_0708))
        #expect(bytes.count == 32)
        #expect(SentJournal.record(bytes[...]) == record(0x0102_0304_0506_0708))
    }

    @Test(arguments: 0..<32) func aDamagedRecordIsNone(_ place: Int) {
        var bytes = SentJournal.bytes(record(7))
        bytes[place] ^= 1
        #expect(SentJournal.record(bytes[...]) == nil)
        #expect(SentJournal.record([UInt8](repeating: 0, count: 32)[...]) == nil)
    }

    @Test func keepsWhatWasAddedUntilThePlaceIsUsedAgain() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/sent"
            var (journal, records) = try SentJournal.open(path: path)
            #expect(records == [])
            let places = (1...3).map { journal.add(record($0)) }
            #expect(places == [0, 1, 2])
            (journal, records) = try SentJournal.open(path: path)
            #expect(records == [record(1), record(2), record(3)])
            for id in 1...Int64(SentJournal.capacity) { #expect(journal.add(record(id + 10)) != nil) }
            #expect(journal.add(record(9)) == nil, "no place is left")
            journal.release([5])
            #expect(journal.add(record(9)) == 5)
            #expect(journal.add(SentJournal.Record(id: 1, token: [1])) == nil)
        }
    }

    /// A store whose entries were claimed and whose mail 1 was sent, left without a chance to tell the database.
    @Test func whatWasSentIsGoneAfterARestartAndNothingElseIs() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let store = try SQLiteStore.open(path: path, role: .serving, logger: .silent)
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.issue(.example(number, email: .example("\(number)"), createdAt: start), mail: true)
            }
            let claimed = try await store.claimOutbox(now: start + .seconds(1), limit: 10, owner: "a", leaseEnd: start + .seconds(100))
            #expect(claimed.count == 3)
            store.close()
            // As a process does that is killed right after the server's reply.
            let (journal, _) = try SentJournal.open(path: path + ".sent")
            #expect(journal.add(SentJournal.Record(id: claimed[0].id, token: claimed[0].messageToken)) != nil)
            // The number of one mail with the token of another names nothing.
            #expect(journal.add(SentJournal.Record(id: claimed[1].id, token: claimed[0].messageToken.map { $0 ^ 1 })) != nil)
            let next = try SQLiteStore.open(path: path, role: .serving, logger: .silent)
            defer { next.close() }
            #expect(try await next.takeOverOutboxLeases(owner: "b") == 2)
            let again = try await next.claimOutbox(now: start + .seconds(2), limit: 10, owner: "b", leaseEnd: start + .seconds(100))
            #expect(again.map(\.id) == [claimed[1].id, claimed[2].id])
        }
    }

    @Test func aNotedMailIsNeverClaimedAgainAndGoesAtTheStop() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let store = try SQLiteStore.open(path: path, role: .serving, logger: .silent)
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.issue(.example(number, email: .example("\(number)"), createdAt: start), mail: true)
            }
            let claimed = try await store.claimOutbox(now: start + .seconds(1), limit: 10, owner: "a", leaseEnd: start + .seconds(10))
            #expect(store.noteSent(claimed[0]))
            // The lease has run out before the note was written down.
            let again = try await store.claimOutbox(now: start + .seconds(20), limit: 10, owner: "a", leaseEnd: start + .seconds(30))
            #expect(again.map(\.id) == [claimed[1].id])
            #expect(store.noteSent(again[0]))
            store.close()
            let tool = try SQLiteStore.open(path: path, role: .tool, logger: .silent)
            defer { tool.close() }
            #expect(try await tool.listOutbox(limit: 10).isEmpty)
            #expect(!tool.noteSent(claimed[0]))
        }
    }
}
