public import Platform

/// A sign-in that can be refreshed: what stands behind a refresh token.
public struct Session: Sendable, Equatable {
    /// SHA-256 of the refresh token (32 bytes); the token itself is kept by the client only.
    public var tokenHash: [UInt8]
    /// The project of the account.
    public var projectID: String
    /// The account.
    public var userID: String
    /// How the account signed in, such as `password` or `anonymous`; ID tokens name it as `sign_in_provider`.
    public var signInProvider: String
    /// When the account signed in; refreshed tokens keep it as `auth_time`.
    public var authTime: UnixTime

    /// Makes a session.
    public init(tokenHash: [UInt8], projectID: String, userID: String, signInProvider: String, authTime: UnixTime) {
        self.tokenHash = tokenHash
        self.projectID = projectID
        self.userID = userID
        self.signInProvider = signInProvider
        self.authTime = authTime
    }
}
