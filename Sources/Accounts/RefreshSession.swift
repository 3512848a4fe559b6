internal import Mail
public import Platform

/// Gives a fresh ID token for a refresh token (wire contract §14).
public struct RefreshSession: Sendable {
    /// What a client sends.
    public struct Request: Sendable {
        /// Must be `refresh_token` (RFC 6749 §6).
        public var grantType: String?
        /// The refresh token.
        public var refreshToken: String?

        /// Makes a request.
        public init(grantType: String?, refreshToken: String?) {
            self.grantType = grantType
            self.refreshToken = refreshToken
        }
    }

    private let store: any AccountStore
    private let policy: AccountPolicy
    private let issuer: IDTokenIssuer
    private let clock: WallClock

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy, issuer: IDTokenIssuer, clock: WallClock) {
        self.store = store
        self.policy = policy
        self.issuer = issuer
        self.clock = clock
    }

    /// A fresh ID token with the `auth_time` and provider of the sign-in, and the same refresh token again.
    ///
    /// - Throws, in this order: `invalidRefreshToken` for a text that is no refresh token; `missingGrantType`, `invalidGrantType`,
    ///   `missingRefreshToken`; `invalidRefreshToken` for one that is unknown, another project's or a deleted account's; `tokenExpired`
    ///   when the account's `validSince` was moved past the sign-in; `userDisabled`.
    public func refresh(_ request: Request) async throws(AccountError) -> SignedIn {
        var token: RefreshToken?
        if let text = request.refreshToken, !text.isEmpty {
            guard let parsed = RefreshToken(text) else { throw .invalidRefreshToken }
            token = parsed
        }
        guard let grantType = request.grantType, !grantType.isEmpty else { throw .missingGrantType }
        guard grantType == "refresh_token" else { throw .invalidGrantType }
        guard let token else { throw .missingRefreshToken }

        let project = policy.projectID
        let now = clock.now()
        let hash = token.hash
        let (user, session) = try await store.writing { transaction throws(StoreError) -> Result<(User, Session), AccountError> in
            guard let session = try transaction.session(tokenHash: hash), session.projectID == project,
                var user = try transaction.user(id: session.userID, project: project)
            else { return .failure(.invalidRefreshToken) }
            guard session.authTime.seconds >= user.validSince.seconds else { return .failure(.tokenExpired) }
            guard !user.disabled else { return .failure(.userDisabled) }
            user.lastRefreshAt = now
            try transaction.update(user)
            return .success((user, session))
        }
        return SignedIn(
            user: user, idToken: try issuer.issue(for: user, session: session, policy: policy), refreshToken: token.text)
    }
}
