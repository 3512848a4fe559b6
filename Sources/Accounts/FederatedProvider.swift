/// A sign-in at another identity provider that is linked to an account.
public struct FederatedProvider: Sendable, Equatable, Codable {
    /// Such as `google.com` or `apple.com`.
    public var providerID: String
    /// The account's identifier at that provider.
    public var rawID: String
    /// What the provider told about the account.
    public var displayName: String?
    /// The address there.
    public var email: String?
    /// A picture's address.
    public var photoURL: String?

    /// Makes a linked provider.
    public init(providerID: String, rawID: String, displayName: String? = nil, email: String? = nil, photoURL: String? = nil) {
        self.providerID = providerID
        self.rawID = rawID
        self.displayName = displayName
        self.email = email
        self.photoURL = photoURL
    }
}
