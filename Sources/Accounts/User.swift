public import Mail
public import Platform

/// An account of one project.
public struct User: Sendable, Equatable {
    /// 28 letters and digits, drawn at random; never reused. Called `localId` on the wire.
    public var id: String
    /// The project that the account belongs to.
    public var projectID: String
    /// The address, unique within the project; nil for anonymous accounts.
    public var email: EmailAddress?
    /// Whether somebody has proved to receive mail at `email`.
    public var emailVerified = false
    /// Whether the account has signed in with a link, so that `emailLink` is one of its methods.
    public var emailLinkSignIn = false
    /// What the account is called; chosen by its owner, so never to be trusted in a page or a mail.
    public var displayName: String?
    /// A picture's address; as untrusted as the name.
    public var photoURL: String?
    /// The encoded scrypt hash of the password, or nil without one.
    public var passwordHash: String?
    /// When the password was set last.
    public var passwordUpdatedAt: UnixTime?
    /// A number in E.164, set by privileged callers only.
    public var phoneNumber: String?
    /// Sign-ins at other identity providers.
    public var federatedProviders: [FederatedProvider] = []
    /// Whether an administrator has shut the account.
    public var disabled = false
    /// Custom claims as a JSON object's text, at most 1,000 characters.
    public var customAttributes: String?
    /// The address before the first change of address.
    public var initialEmail: EmailAddress?
    /// When the account was made.
    public var createdAt: UnixTime
    /// When somebody signed in last.
    public var lastLoginAt: UnixTime?
    /// When an ID token was last refreshed or issued.
    public var lastRefreshAt: UnixTime?
    /// ID tokens issued before this moment (whole seconds) are refused.
    public var validSince: UnixTime
    /// Counts how often the account's tokens were ended. An ID token holds the count of its making, and is refused here once it has grown:
    /// `validSince` is told in whole seconds, within which somebody else may have got a token.
    public private(set) var tokenEpoch: Int64 = 0

    /// Makes an account without address, password or providers.
    public init(id: String, projectID: String, createdAt: UnixTime) {
        self.id = id
        self.projectID = projectID
        self.createdAt = createdAt
        self.validSince = UnixTime(seconds: createdAt.seconds)
    }

    /// Ends every ID token that was made before. The caller ends the sessions too, where they are to end.
    public mutating func endTokens(at now: UnixTime) {
        validSince = UnixTime(seconds: now.seconds)
        tokenEpoch += 1
    }

    /// Puts back the count that was stored.
    package mutating func restoreTokenEpoch(_ epoch: Int64) {
        tokenEpoch = epoch
    }

    /// Whether nothing but a session belongs to this account.
    public var isAnonymous: Bool {
        email == nil && phoneNumber == nil && passwordHash == nil && federatedProviders.isEmpty
    }

    /// Whether the account signs in with its address, by password or by link: `password` among its providers.
    public var hasPasswordProvider: Bool { email != nil && (passwordHash != nil || emailLinkSignIn) }
}
