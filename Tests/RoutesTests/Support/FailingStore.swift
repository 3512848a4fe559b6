import Accounts
import ActionCodes
import Mail
import Platform
import Synchronization
import TestSupport

/// A memory store that can be told to be out of order.
final class FailingStore: Store {
    private let inner = MemoryStore()
    private let fails = Mutex(false)

    func setFails(_ on: Bool) { fails.withLock { $0 = on } }

    var isFailing: Bool { fails.withLock { $0 } }

    private func enter() throws(StoreError) {
        if isFailing { throw .unavailable(cause: "a detail for the log only") }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try enter()
        return try await inner.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try enter()
        return try await inner.write(body)
    }

    func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        try await inner.purgeActionCodes(expiredBefore: time, limit: limit)
    }

    func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry] {
        try await inner.claimOutbox(now: now, limit: limit, owner: owner, leaseEnd: leaseEnd)
    }

    func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError) {
        try await inner.settleOutbox(settlements, owner: owner, now: now)
    }

    func nextOutboxDueTime() async throws(StoreError) -> UnixTime? { try await inner.nextOutboxDueTime() }
    func takeOverOutboxLeases(owner: String) async throws(StoreError) -> Int { try await inner.takeOverOutboxLeases(owner: owner) }
    func outboxCounts() async throws(StoreError) -> OutboxCounts { try await inner.outboxCounts() }
    func listOutbox(limit: Int) async throws(StoreError) -> [OutboxListing] { try await inner.listOutbox(limit: limit) }
    func retryOutbox(ids: [Int64]?, now: UnixTime) async throws(StoreError) -> Int { try await inner.retryOutbox(ids: ids, now: now) }

    func purgeOutbox(settledBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        try await inner.purgeOutbox(settledBefore: time, limit: limit)
    }

    func projectOverrides() async throws(StoreError) -> [String: ProjectOverrides] { try await inner.projectOverrides() }

    func saveProjectOverrides(_ overrides: ProjectOverrides, project: String) async throws(StoreError) {
        try enter()
        try await inner.saveProjectOverrides(overrides, project: project)
    }

    func rateLimitBuckets() async throws(StoreError) -> [RateLimitBucket] { try await inner.rateLimitBuckets() }

    func saveRateLimitBuckets(_ buckets: [RateLimitBucket]) async throws(StoreError) {
        try await inner.saveRateLimitBuckets(buckets)
    }
}
