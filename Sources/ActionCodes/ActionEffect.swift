internal import Accounts
internal import Mail
internal import Platform

/// What completing a code does to its account, within the transaction that spends it.
///
/// A refusal that comes after the code was spent leaves it spent (wire-contract.md §8.1): who asks again gets a new one.
struct ActionEffect: Sendable {
    let stored: ActionCode
    let project: Project
    let now: UnixTime

    /// Sets the password. Whoever opens the mail owns the address, so the account is theirs alone from here on: other providers are unlinked
    /// and every session ends.
    func resetPassword(to hash: String, in transaction: any StoreTransaction) throws(StoreError) -> Result<User, ActionCodeError> {
        guard var user = try spend(in: transaction) else { return .failure(.userNotFound) }
        guard !user.disabled else { return .failure(.userDisabled) }
        _ = OwnershipProof.apply(to: &user, now: now)
        user.passwordHash = hash
        user.passwordUpdatedAt = now
        user.federatedProviders = []
        user.emailVerified = true
        return .success(try save(user, in: transaction))
    }

    /// Marks the address as proved.
    ///
    /// Unlike other first proofs of ownership this one takes nothing away: the code was asked for by whoever is signed in to the account, so
    /// the owner of the mailbox confirms an account that they know of, with the password that they have just chosen. The mail says what to do
    /// otherwise.
    func verifyEmail(in transaction: any StoreTransaction) throws(StoreError) -> Result<User, ActionCodeError> {
        guard var user = try spend(in: transaction) else { return .failure(.invalidOobCode) }
        guard !user.disabled else { return .failure(.userDisabled) }
        user.emailVerified = true
        try transaction.update(user)
        return .success(user)
    }

    /// Gives the account its new address, proved by the mail that went there, and mails the replaced one a way back.
    func changeEmail(
        to newEmail: EmailAddress, wayBack: WayBackMail, in transaction: any StoreTransaction
    ) throws(StoreError) -> Result<User, ActionCodeError> {
        guard var user = try spend(in: transaction) else { return .failure(.invalidOobCode) }
        guard !user.disabled else { return .failure(.userDisabled) }
        guard try transaction.user(email: newEmail, project: project.id) == nil else { return .failure(.emailExists) }
        try transaction.voidActionCodes(email: newEmail, project: project.id)
        user.initialEmail = user.initialEmail ?? stored.email
        user.email = newEmail
        user.emailVerified = true
        user = try save(user, in: transaction)
        try wayBack.issue(
            to: stored.email, of: user, project: project, language: stored.language, apiKey: stored.apiKey, in: transaction)
        return .success(user)
    }

    /// Gives the account the replaced address back.
    ///
    /// An older address outranks a newer one: the ways back to addresses that came after this one end, those to earlier ones stay. Otherwise a
    /// thief could change the address twice and, by going back once, shut the owner out for good.
    func recoverEmail(in transaction: any StoreTransaction) throws(StoreError) -> Result<User, ActionCodeError> {
        guard var user = try spend(in: transaction) else { return .failure(.invalidOobCode) }
        guard !user.disabled else { return .failure(.userDisabled) }
        guard try transaction.user(email: stored.email, project: project.id) == nil else { return .failure(.emailExists) }
        if let replaced = user.email { try transaction.voidActionCodes(email: replaced, project: project.id) }
        try transaction.voidActionCodes(userID: user.id, project: project.id, issuedSince: stored.createdAt)
        user.email = stored.email
        user.emailVerified = true
        return .success(try save(user, in: transaction))
    }

    /// Spends the code and voids the others of its address; gives the account that it acts on.
    private func spend(in transaction: any StoreTransaction) throws(StoreError) -> User? {
        // The transaction has just read it as live.
        guard try transaction.settle(stored, as: .used) else { return nil }
        try transaction.voidActionCodes(email: stored.email, project: project.id)
        return try ActionCodeSubject.account(of: stored, in: transaction)
    }

    /// Saves an account whose way in has changed: nobody stays signed in.
    private func save(_ changed: User, in transaction: any StoreTransaction) throws(StoreError) -> User {
        var user = changed
        user.endTokens(at: now)
        try transaction.deleteSessions(userID: user.id, project: project.id)
        try transaction.update(user)
        return user
    }
}
