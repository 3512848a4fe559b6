public import Mail
public import Platform

/// What a verified ID token says.
public struct IDTokenClaims: Sendable, Equatable {
    /// The project that the token was verified for.
    public var projectID: String
    /// The account, `sub`.
    public var userID: String
    /// When the token was made, `iat`; whole seconds.
    public var issuedAt: UnixTime
    /// When the account signed in, `auth_time`; whole seconds.
    public var authTime: UnixTime
    /// When the token ends, `exp`; whole seconds.
    public var expiresAt: UnixTime
    /// How the account signed in, such as `password` or `anonymous`.
    public var signInProvider: String

    /// Makes claims, for tests; others come from `IDTokenVerifier`.
    public init(
        projectID: String, userID: String, issuedAt: UnixTime, authTime: UnixTime, expiresAt: UnixTime, signInProvider: String
    ) {
        self.projectID = projectID
        self.userID = userID
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.expiresAt = expiresAt
        self.signInProvider = signInProvider
    }

    /// The account behind the token, if the token still opens it.
    ///
    /// Refused with, in this order (wire contract §1): `userNotFound`; `tokenExpired` when the token is older than the account's
    /// `validSince`, in whole seconds; `userDisabled`.
    public func user(in reader: any AccountReader) throws(StoreError) -> Result<User, AccountError> {
        guard let user = try reader.user(id: userID, project: projectID) else { return .failure(.userNotFound) }
        guard issuedAt.seconds >= user.validSince.seconds else { return .failure(.tokenExpired) }
        guard !user.disabled else { return .failure(.userDisabled) }
        return .success(user)
    }
}
