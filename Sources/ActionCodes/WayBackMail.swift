public import Accounts
public import Crypto
public import Mail
public import Platform

/// Mails an address that was replaced the way back to it: a `recoverEmail` code that is bound to the account.
public struct WayBackMail: AddressChangeNotice {
    private let keys: KeyRing
    private let clock: WallClock
    private let randomness: Randomness
    private let wakeOutbox: @Sendable () -> Void

    /// Takes what it works with. `wakeOutbox` must be cheap.
    public init(keys: KeyRing, clock: WallClock, randomness: Randomness, wakeOutbox: @escaping @Sendable () -> Void) {
        self.keys = keys
        self.clock = clock
        self.randomness = randomness
        self.wakeOutbox = wakeOutbox
    }

    /// As the protocol says; in the project's language, since nobody asked for the mail.
    public func addressReplaced(
        _ former: EmailAddress, of user: User, project: Project, in transaction: any StoreTransaction
    ) throws(StoreError) {
        try issue(
            to: former, of: user, project: project, language: project.defaultLocale, apiKey: project.apiKeys.first ?? "", in: transaction)
    }

    /// As the protocol says.
    public func wake() { wakeOutbox() }

    /// Issues the code and accepts its mail.
    func issue(
        to former: EmailAddress, of user: User, project: Project, language: String, apiKey: String, in transaction: any StoreTransaction
    ) throws(StoreError) {
        let now = clock.now()
        let code = ActionCode(
            id: ActionCodeID(randomness: randomness), projectID: project.id, operation: .recoverEmail, email: former, userID: user.id,
            settings: ActionCodeSettings(), language: language, apiKey: apiKey, createdAt: now,
            expiresAt: now + project.lifetime(of: .recoverEmail))
        // No limit: a thief who gives throwaway accounts the replaced address, and changes it again, must not crowd out the owner's way back.
        try transaction.insert(code, keepingAtMost: .max)
        try transaction.enqueue(OutboxEntry(mailing: code, nonce: randomness.bytes(12), keys: keys))
    }
}
