public import ActionCodes
public import Mail
public import Platform
internal import Synchronization

/// A store in memory that keeps the same rules as the ones on disk, for tests that need a store and not its durability.
///
/// A transaction works on a copy of everything and puts it in place when its body returns; a throw leaves all as it was.
public final class MemoryStore: Store {
    private let state = Mutex(MemoryState())

    /// Makes an empty store.
    public init() {}

    /// As the protocol says.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try body(MemoryTransaction(state.withLock { $0 }))
    }

    /// As the protocol says.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try state.withLock { state throws(StoreError) in
            let transaction = MemoryTransaction(state)
            let value = try body(transaction)
            state = transaction.state
            return value
        }
    }

    /// As the protocol says.
    public func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let expired = state.codes.values.filter { $0.expiresAt < time }.sorted { $0.expiresAt < $1.expiresAt }.prefix(limit)
            for code in expired { state.codes[code.id] = nil }
            return expired.count
        }
    }

    /// As the protocol says.
    public func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry] {
        state.withLock { $0.claim(now: now, limit: limit, owner: owner, leaseEnd: leaseEnd) }
    }

    /// As the protocol says.
    public func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError) {
        state.withLock { state in
            for settlement in settlements { state.settle(settlement, owner: owner, now: now) }
        }
    }

    /// As the protocol says.
    public func nextOutboxDueTime() async throws(StoreError) -> UnixTime? {
        state.withLock { $0.outbox.values.compactMap(\.dueAt).min() }
    }

    /// As the protocol says.
    public func takeOverOutboxLeases(owner: String) async throws(StoreError) -> Int {
        state.withLock { state in
            state.changeOutbox { row in
                guard row.state == .leased, row.owner != owner else { return false }
                row.state = .waiting
                row.owner = nil
                row.dueAt = row.entry.createdAt
                return true
            }
        }
    }

    /// As the protocol says.
    public func outboxCounts() async throws(StoreError) -> OutboxCounts {
        state.withLock { state in
            OutboxCounts(
                waiting: state.outbox.values.count { $0.dueAt != nil }, failed: state.outbox.values.count { $0.state == .failed })
        }
    }

    /// As the protocol says.
    public func listOutbox(limit: Int) async throws(StoreError) -> [OutboxListing] {
        state.withLock { state in
            state.outbox.values.sorted { $0.entry.id > $1.entry.id }.prefix(limit).map { row in
                OutboxListing(entry: row.entry, state: row.state, dueAt: row.dueAt, reason: row.reason)
            }
        }
    }

    /// As the protocol says.
    public func retryOutbox(ids: [Int64]?, now: UnixTime) async throws(StoreError) -> Int {
        state.withLock { state in
            state.changeOutbox { row in
                guard row.state == .waiting || row.state == .failed, ids?.contains(row.entry.id) ?? true else { return false }
                row.state = .waiting
                row.dueAt = now
                row.settledAt = nil
                return true
            }
        }
    }

    /// As the protocol says.
    public func purgeOutbox(settledBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let old = state.outbox.values.filter { $0.settledAt.map { $0 < time } ?? false }
                .sorted { ($0.settledAt ?? time, $0.entry.id) < ($1.settledAt ?? time, $1.entry.id) }.prefix(limit)
            for row in old { state.outbox[row.entry.id] = nil }
            return old.count
        }
    }

    /// As the protocol says.
    public func projectOverrides() async throws(StoreError) -> [String: ProjectOverrides] {
        state.withLock { $0.overrides }
    }

    /// As the protocol says.
    public func saveProjectOverrides(_ overrides: ProjectOverrides, project: String) async throws(StoreError) {
        state.withLock { $0.overrides[project] = overrides.values.isEmpty ? nil : overrides }
    }

    /// As the protocol says.
    public func rateLimitBuckets() async throws(StoreError) -> [RateLimitBucket] {
        state.withLock { Array($0.buckets.values) }
    }

    /// As the protocol says.
    public func saveRateLimitBuckets(_ buckets: [RateLimitBucket]) async throws(StoreError) {
        state.withLock { state in
            for bucket in buckets { state.buckets[bucket.place] = bucket }
        }
    }
}
