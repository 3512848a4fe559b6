public import Accounts
internal import Mail

/// Changes an account together with what was mailed for it, in one transaction: a changed password or address ends the codes that are under
/// way, and a replaced address is told so.
public struct UpdateAccountAndCodes: Sendable {
    private let store: any Store
    private let notice: (any AddressChangeNotice)?

    /// Takes where codes live, and who tells replaced addresses; nobody does when nil.
    public init(store: any Store, notice: (any AddressChangeNotice)?) {
        self.store = store
        self.notice = notice
    }

    /// Makes the change that `update` prepares for the request.
    ///
    /// - Throws: as `UpdateAccount.prepare` and `PreparedUpdate.apply(in:)`.
    public func callAsFunction(
        _ request: UpdateAccountRequest, by update: UpdateAccount, project: Project
    ) async throws(AccountError) -> UpdateAccount.Answer {
        let prepared = try await update.prepare(request)
        let outcome: Result<AccountChange, AccountError>
        do {
            outcome = try await store.write { [notice] transaction throws(StoreError) in
                let outcome = try prepared.apply(in: transaction)
                if case .success(let change) = outcome {
                    if change.endsActionCodes, let email = change.replacedEmail ?? change.user.email {
                        try transaction.voidActionCodes(email: email, project: project.id)
                    }
                    if let former = change.replacedEmail {
                        try notice?.addressReplaced(former, of: change.user, project: project, in: transaction)
                    }
                }
                return outcome
            }
        } catch {
            throw .store(error)
        }
        let change = try outcome.get()
        if change.replacedEmail != nil { notice?.wake() }
        return try update.answer(change, to: prepared)
    }
}
