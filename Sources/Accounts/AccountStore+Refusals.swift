internal import Mail

extension AccountStore {
    /// Reads, and makes a refusal that `body` gave and a failure of the store into one kind of error.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountReader) throws(StoreError) -> Result<Value, AccountError>
    ) async throws(AccountError) -> Value {
        let result: Result<Value, AccountError>
        do throws(StoreError) {
            result = try await readAccounts(body)
        } catch {
            throw .store(error)
        }
        return try result.get()
    }

    /// Writes in one transaction; a refusal commits too, so `body` refuses before it writes.
    func writing<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws(StoreError) -> Result<Value, AccountError>
    ) async throws(AccountError) -> Value {
        let result: Result<Value, AccountError>
        do throws(StoreError) {
            result = try await writeAccounts(body)
        } catch {
            throw .store(error)
        }
        return try result.get()
    }
}
