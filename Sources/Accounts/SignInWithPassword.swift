public import Crypto
internal import Mail
public import Platform

/// Signs in with address and password (wire contract §12).
public struct SignInWithPassword: Sendable {
    /// What a client sends.
    public struct Request: Sendable {
        /// The address as it was sent.
        public var email: String?
        /// The password.
        public var password: String?

        /// Makes a request.
        public init(email: String?, password: String?) {
            self.email = email
            self.password = password
        }
    }

    private let store: any AccountStore
    private let policy: AccountPolicy
    private let issuer: IDTokenIssuer
    private let passwords: PasswordHashing
    private let clock: WallClock
    private let randomness: Randomness

    /// Makes the use case for one project.
    public init(
        store: any AccountStore, policy: AccountPolicy, issuer: IDTokenIssuer, passwords: PasswordHashing, clock: WallClock,
        randomness: Randomness
    ) {
        self.store = store
        self.policy = policy
        self.issuer = issuer
        self.passwords = passwords
        self.clock = clock
        self.randomness = randomness
    }

    /// The account, with a new session.
    ///
    /// Every well-formed request costs one read and one hash, whether the account exists, is shut or has a password: the time tells none of
    /// these.
    /// - Throws: as `check`; then with privacy on
    ///   `userDisabled` or `invalidLoginCredentials`, with privacy off `emailNotFound`, `userDisabled`, `invalidPassword`.
    public func signIn(_ request: Request) async throws(AccountError) -> SignedIn {
        let (email, password) = try credentials(of: request)
        let project = policy.projectID
        let found = try await store.reading { reader throws(StoreError) in .success(try reader.user(email: email, project: project)) }
        let isMatch = try await passwords.matches(password, hash: found?.passwordHash)
        guard let found else { throw policy.emailPrivacy ? .invalidLoginCredentials : .emailNotFound }
        guard !found.disabled else { throw .userDisabled }
        let wrong: AccountError = policy.emailPrivacy ? .invalidLoginCredentials : .invalidPassword
        guard isMatch else { throw wrong }

        let now = clock.now()
        let token = RefreshToken.make(randomness)
        let (user, session) = try await store.writing { transaction throws(StoreError) -> Result<(User, Session), AccountError> in
            // The account may have been changed while the hash was made: a password that was just replaced opens nothing.
            guard var user = try transaction.user(id: found.id, project: project), user.email == email,
                user.passwordHash == found.passwordHash
            else { return .failure(wrong) }
            guard !user.disabled else { return .failure(.userDisabled) }
            user.lastLoginAt = now
            user.lastRefreshAt = now
            try transaction.update(user)
            let session = NewSession.make(for: user, provider: SignInProvider.password, now: now, token: token).session
            try transaction.insert(session)
            return .success((user, session))
        }
        return SignedIn(
            user: user, idToken: try issuer.issue(for: user, session: session, policy: policy), refreshToken: token.text)
    }

    /// What is wrong with a request before any account is looked at.
    ///
    /// - Throws, in this order: `passwordLoginDisabled`, `missingEmail`, `invalidEmail`, `missingPassword`.
    public func check(_ request: Request) throws(AccountError) {
        _ = try credentials(of: request)
    }

    private func credentials(of request: Request) throws(AccountError) -> (EmailAddress, String) {
        guard policy.passwordSignIn else { throw .passwordLoginDisabled }
        guard let text = request.email else { throw .missingEmail }
        guard let email = try? EmailAddress(text) else { throw .invalidEmail }
        guard let password = request.password, !password.isEmpty else { throw .missingPassword }
        return (email, password)
    }
}
