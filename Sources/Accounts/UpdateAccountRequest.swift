public import Platform

/// What a caller wants changed about an account; nil leaves as it is.
public struct UpdateAccountRequest: Sendable {
    /// An attribute that can be taken away.
    public enum Attribute: Sendable {
        /// The address, and with it the ways to sign in that need one.
        case email
        /// The name.
        case displayName
        /// The picture.
        case photoURL
        /// The password.
        case password
        /// Known to the protocol and not offered.
        case provider
        /// Known to the protocol and not offered.
        case rawUserInfo
    }

    /// A sign-in at another provider as it was sent.
    public struct LinkedProvider: Sendable {
        /// Such as `google.com`.
        public var providerID: String?
        /// The account's identifier there.
        public var rawID: String?
        /// What the account is called there.
        public var displayName: String?
        /// The address there.
        public var email: String?
        /// A picture's address.
        public var photoURL: String?

        /// Makes an empty one.
        public init() {}
    }

    /// Whether the caller is an administrator.
    public var isPrivileged = false
    /// The owner's token; ignored for administrators.
    public var idToken: String?
    /// The account's id; administrators only, ignored otherwise.
    public var userID: String?
    /// The address as it was sent.
    public var email: String?
    /// The password, at least 6 characters.
    public var password: String?
    /// At most 1,024 bytes; empty removes the name.
    public var displayName: String?
    /// At most 2,048 bytes; empty removes the picture.
    public var photoURL: String?
    /// In E.164; administrators only, ignored otherwise.
    public var phoneNumber: String?
    /// Whether the address counts as proved; administrators only, ignored otherwise.
    public var emailVerified: Bool?
    /// Whether the account is shut; administrators only, refused otherwise.
    public var disabled: Bool?
    /// Custom claims as a JSON object's text, at most 1,000 characters; empty removes them. Administrators only, refused otherwise.
    public var customAttributes: String?
    /// Administrators only, ignored otherwise.
    public var createdAt: UnixTime?
    /// Administrators only, ignored otherwise.
    public var lastLoginAt: UnixTime?
    /// Tokens and sessions from before this moment (whole seconds) end; administrators only, ignored otherwise.
    public var validSince: UnixTime?
    /// Attributes to take away.
    public var deletedAttributes: [Attribute] = []
    /// Providers to unlink: `password`, `phone` or another's id.
    public var deletedProviders: [String] = []
    /// A sign-in to link, on an administrator's word only: a person would have to prove it at the provider.
    public var linkedProvider: LinkedProvider?

    /// Makes a request that changes nothing.
    public init() {}

    /// The longest custom claims, in characters as UTF-16 counts them.
    static let claimsLimit = 1000

    /// What is wrong with the request before anybody looks whose account it is about, in the contract's order (§8). It holds also for a
    /// request with an action code, whose other fields are ignored.
    ///
    /// - Throws, in this order: `unsupportedRequest`, `insufficientPermission`, `missingLocalID`, `claimsTooLarge`, `invalidClaims`,
    ///   `forbiddenClaim`, `notImplemented`.
    public func check(hasCode: Bool) throws(AccountError) {
        if isPrivileged {
            guard userID?.isEmpty == false else { throw .missingLocalID }
        } else {
            guard hasCode || idToken?.isEmpty == false else { throw .unsupportedRequest }
            // Production ignores a linked provider here, or takes the word of whoever sends it; to refuse is the safe reading.
            guard customAttributes == nil, linkedProvider == nil else { throw .insufficientPermission }
        }
        if let customAttributes, !customAttributes.isEmpty {
            guard customAttributes.utf16.count <= Self.claimsLimit else { throw .claimsTooLarge }
            guard let claims = CustomClaims(json: customAttributes) else { throw .invalidClaims }
            if let reserved = claims.claims.first(where: { CustomClaims.reserved.contains($0.name) }) {
                throw .forbiddenClaim(reserved.name)
            }
        }
        for attribute in deletedAttributes {
            switch attribute {
            case .provider: throw .notImplemented("deleteAttribute PROVIDER")
            case .rawUserInfo: throw .notImplemented("deleteAttribute RAW_USER_INFO")
            case .email, .displayName, .photoURL, .password: break
            }
        }
    }
}
