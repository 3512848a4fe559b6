public import Mail
public import Platform

extension SQLiteStore {
    /// As the protocol says. Entries are chosen by the time they fell due and given in the order of their numbers.
    ///
    /// A claim need not survive a power cut: it is as if it had not been made.
    public func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry] {
        try await writer.write(.process) { [sent] transaction throws(StoreError) in
            // One whose lease has run out would be claimed again.
            try sent?.delete(in: transaction)
            return try transaction.claimOutbox(now: now, limit: limit, owner: owner, leaseEnd: leaseEnd)
        }
    }

    /// As the protocol says: a record in the journal beside the database, which the next start reads. False in a tool, and when too many
    /// records wait for the database.
    public func noteSent(_ entry: OutboxEntry) -> Bool {
        sent?.note(SentJournal.Record(id: entry.id, token: entry.messageToken), writer: writer) ?? false
    }

    /// As the protocol says; all settlements are one transaction.
    ///
    /// What was given up is on the disk when this returns. What was sent or put off survives the end of the process; a power cut within
    /// seconds may bring it back, and then a mail is sent once more, with its Message-ID.
    public func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError) {
        if settlements.isEmpty { return }
        let isFinal = settlements.contains { settlement in
            switch settlement.state {
            case .failed, .bounced, .dropped: true
            case .sent, .retry, .released, .postponed: false
            }
        }
        try await writer.write(isFinal ? .disk : .process) { transaction throws(StoreError) in
            for settlement in settlements { try transaction.settleOutbox(settlement, owner: owner, now: now) }
        }
    }

    /// As the protocol says.
    public func nextOutboxDueTime() async throws(StoreError) -> UnixTime? {
        try await readers.read { transaction throws(StoreError) in try transaction.nextOutboxDueTime() }
    }

    /// As the protocol says; what is taken over is due at once.
    public func takeOverOutboxLeases(owner: String) async throws(StoreError) -> Int {
        try await writer.write { transaction throws(StoreError) in try transaction.takeOverOutboxLeases(owner: owner) }
    }

    /// As the protocol says.
    public func outboxCounts() async throws(StoreError) -> OutboxCounts {
        try await readers.read { transaction throws(StoreError) in try transaction.outboxCounts() }
    }

    /// As the protocol says, the newest first.
    public func listOutbox(limit: Int) async throws(StoreError) -> [OutboxListing] {
        try await readers.read { transaction throws(StoreError) in try transaction.listOutbox(limit: limit) }
    }

    /// As the protocol says; nil `ids` are all entries. Entries in the hands of a lane are left alone.
    public func retryOutbox(ids: [Int64]?, now: UnixTime) async throws(StoreError) -> Int {
        try await writer.write { transaction throws(StoreError) in try transaction.retryOutbox(ids: ids, now: now) }
    }

    /// As the protocol says. Sent entries are gone already: settling deletes them.
    public func purgeOutbox(settledBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        try await writer.write { transaction throws(StoreError) in try transaction.purgeOutbox(settledBefore: time, limit: limit) }
    }
}
