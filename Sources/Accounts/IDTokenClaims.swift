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
    /// The account's `tokenEpoch` when the token was made.
    public var tokenEpoch: Int64
    /// The account's address when the token was made. A change of address ends the token, so it is the address now if the token is good.
    public var email: EmailAddress?

    /// Makes claims, for tests; others come from `IDTokenVerifier`.
    public init(
        projectID: String, userID: String, issuedAt: UnixTime, authTime: UnixTime, expiresAt: UnixTime, signInProvider: String,
        tokenEpoch: Int64 = 0, email: EmailAddress? = nil
    ) {
        self.projectID = projectID
        self.userID = userID
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.expiresAt = expiresAt
        self.signInProvider = signInProvider
        self.tokenEpoch = tokenEpoch
        self.email = email
    }

    /// The account behind the token, if the token still opens it.
    ///
    /// Refused with, in this order (wire contract §1): `userNotFound`; `tokenExpired` when the account's tokens were ended since, or the token
    /// is older than `validSince`, in whole seconds; `userDisabled`.
    public func user(in reader: any AccountReader) throws(StoreError) -> Result<User, AccountError> {
        guard let user = try reader.user(id: userID, project: projectID) else { return .failure(.userNotFound) }
        guard tokenEpoch == user.tokenEpoch, issuedAt.seconds >= user.validSince.seconds else { return .failure(.tokenExpired) }
        guard !user.disabled else { return .failure(.userDisabled) }
        return .success(user)
    }
}
