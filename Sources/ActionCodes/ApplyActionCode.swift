public import Accounts
public import Mail
public import Platform

/// Completes every code but a sign-in link: the effect and the end of the code are one transaction.
public struct ApplyActionCode: Sendable {
    /// What was done.
    public struct Answer: Sendable {
        /// What the code was for.
        public var operation: Operation
        /// The address that the code was about.
        public var email: EmailAddress
        /// The address that has taken its place, for a change of address.
        public var newEmail: EmailAddress?
        /// The account as it is now.
        public var user: User
    }

    private let store: any Store
    private let keys: KeyRing
    private let passwords: PasswordHashing
    private let clock: WallClock
    private let wayBack: WayBackMail

    /// Takes what the use case works with. `wayBack` mails an address that was replaced.
    public init(store: any Store, keys: KeyRing, passwords: PasswordHashing, clock: WallClock, wayBack: WayBackMail) {
        self.store = store
        self.keys = keys
        self.passwords = passwords
        self.clock = clock
        self.wayBack = wayBack
    }

    /// Verifies, changes or recovers an address (wire-contract.md §8.1).
    ///
    /// - Throws, before the code is spent: `missingOobCode`, `invalidOobCode` for forged, used and voided codes and those of another operation,
    ///   `expiredOobCode`. After it: `invalidOobCode` when the account is gone or has another address, `userDisabled`, `emailExists`.
    public func callAsFunction(_ oobCode: String?, project: Project) async throws(ActionCodeError) -> Answer {
        let now = clock.now()
        let code = try OOBCode.genuine(oobCode, project: project, keys: keys, now: now)
        switch code.operation {
        case .verifyEmail:
            return try await complete(code, project: project, now: now) { effect, transaction throws(StoreError) in
                try effect.verifyEmail(in: transaction)
            }
        case .verifyAndChangeEmail:
            let answer = try await complete(code, project: project, now: now) { [wayBack] effect, transaction throws(StoreError) in
                guard let newEmail = effect.stored.newEmail else { return .failure(.invalidOobCode) }
                return try effect.changeEmail(to: newEmail, wayBack: wayBack, in: transaction)
            }
            wayBack.wake()
            return answer
        case .recoverEmail:
            return try await complete(code, project: project, now: now) { effect, transaction throws(StoreError) in
                try effect.recoverEmail(in: transaction)
            }
        // Accounts have no second factors here, so no such code was ever issued; the other two are completed elsewhere.
        case .revertSecondFactorAddition, .signIn, .resetPassword:
            throw .invalidOobCode
        }
    }

    /// Sets a new password (wire-contract.md §7).
    ///
    /// - Throws, before the code is spent: `passwordLoginDisabled`, `missingOobCode`, `invalidOobCode` as above, `expiredOobCode`,
    ///   `account(.weakPassword)`. After it: `userNotFound`, `userDisabled`.
    public func resetPassword(
        _ oobCode: String?, newPassword: String, project: Project
    ) async throws(ActionCodeError) -> Answer {
        guard project.accounts.passwordSignIn else { throw .passwordLoginDisabled }
        let code = try OOBCode.genuine(oobCode, project: project, keys: keys, now: clock.now())
        guard code.operation == .resetPassword else { throw .invalidOobCode }
        // Before the hash, so that a code which was used already costs nobody a tenth of a second of a core.
        guard try await isLive(code) else { throw .invalidOobCode }
        guard newPassword.utf16.count >= PasswordHashing.minimumLength else { throw .account(.weakPassword) }
        let hash: String
        do { hash = try await passwords.hash(newPassword) } catch { throw .account(error) }
        // The hash may have waited its turn: whoever signed in meanwhile is signed out too.
        return try await complete(code, project: project, now: clock.now()) { effect, transaction throws(StoreError) in
            try effect.resetPassword(to: hash, in: transaction)
        }
    }

    private func isLive(_ code: OOBCode) async throws(ActionCodeError) -> Bool {
        do {
            return try await store.read { reader throws(StoreError) in
                try reader.actionCode(code.id, expiresAt: code.expiresAt)?.state == .live
            }
        } catch {
            throw .store(error)
        }
    }

    private func complete(
        _ code: OOBCode, project: Project, now: UnixTime,
        _ effect: @escaping @Sendable (ActionEffect, any StoreTransaction) throws(StoreError) -> Result<User, ActionCodeError>
    ) async throws(ActionCodeError) -> Answer {
        let outcome: Result<Answer, ActionCodeError>
        do {
            outcome = try await store.write { transaction throws(StoreError) in
                guard let stored = try transaction.actionCode(code.id, expiresAt: code.expiresAt), stored.state == .live else {
                    return .failure(.invalidOobCode)
                }
                return try effect(ActionEffect(stored: stored, project: project, now: now), transaction).map { user in
                    Answer(operation: stored.operation, email: stored.email, newEmail: stored.newEmail, user: user)
                }
            }
        } catch {
            throw .store(error)
        }
        return try outcome.get()
    }
}
