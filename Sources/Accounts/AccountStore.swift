public import Mail

/// Where accounts live, for the use cases that need nothing else.
public protocol AccountStore: Sendable {
    /// Runs `body` on a consistent view.
    func readAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` in a transaction, durable when this returns. Whatever `body` returns, a refusal too, commits what it wrote; a thrown
    /// error undoes it. `body` may run more than once, so it has no effect but on the transaction.
    func writeAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value
}
