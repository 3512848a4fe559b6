public import Accounts
public import Mail
public import Platform

/// Where codes, accounts and the outbox live: one transaction covers them all, or none of what Postern promises would hold. Token buckets and
/// changed settings live beside them.
public protocol Store: AccountStore, OutboxStore, RateLimitStore, ProjectOverridesStore {
    /// Runs `body` on a consistent view.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` in a transaction, durable when this returns. Whatever `body` returns, a refusal too, commits what it wrote; a thrown
    /// error undoes it. `body` may run more than once, so it has no effect but on the transaction.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value

    /// Deletes codes that expired before `time`, at most `limit`; gives how many.
    func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int
}

extension Store {
    /// Accounts alone are a narrower view of the same transaction.
    public func readAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await read { reader throws(StoreError) in try body(reader) }
    }

    /// Accounts alone are a narrower view of the same transaction.
    public func writeAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await write { transaction throws(StoreError) in try body(transaction) }
    }
}
