public import Mail
public import Platform

extension SQLiteStore {
    /// As the protocol says. Entries are chosen by the time they fell due and given in the order of their numbers.
    public func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry] {
        try await writer.write { transaction throws(StoreError) in
            try transaction.claimOutbox(now: now, limit: limit, owner: owner, leaseEnd: leaseEnd)
        }
    }

    /// As the protocol says; all settlements are one transaction.
    public func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError) {
        if settlements.isEmpty { return }
        try await writer.write { transaction throws(StoreError) in
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
