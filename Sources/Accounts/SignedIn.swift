/// What a client gets when it has signed in or refreshed its sign-in.
public struct SignedIn: Sendable {
    /// The account as it is stored now.
    public var user: User
    /// A fresh ID token.
    public var idToken: String
    /// The token for the next refresh; secret.
    public var refreshToken: String
    /// How long `idToken` is good; sent as whole seconds in a string.
    public var expiresIn: Duration

    /// Puts an answer together.
    public init(user: User, idToken: String, refreshToken: String, expiresIn: Duration = IDTokenIssuer.lifetime) {
        self.user = user
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}

extension SignedIn: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account's id; the tokens are `<redacted>`.
    public var description: String { "SignedIn(\(user.id), <redacted>)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Shows no children, so that no token is printed.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
