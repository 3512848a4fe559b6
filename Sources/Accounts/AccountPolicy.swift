/// What a project allows its accounts, and in whose name their tokens are issued.
public struct AccountPolicy: Sendable, Equatable {
    /// The project id: `aud` of ID tokens.
    public var projectID: String
    /// `iss` of ID tokens. Default `https://securetoken.google.com/<project>`, which Firebase's SDKs insist on.
    public var issuer: String
    /// Whether strangers may make accounts. Default true.
    public var allowSignUp = true
    /// Whether passwords are offered. Default true.
    public var passwordSignIn = true
    /// Whether answers hide which addresses have an account. Default true.
    public var emailPrivacy = true

    /// Makes the policy of a project; `issuer` nil is the default.
    public init(projectID: String, issuer: String? = nil) {
        self.projectID = projectID
        self.issuer = issuer ?? "https://securetoken.google.com/\(projectID)"
    }

    /// The project number that some answers hold instead of the id: twelve digits made from the id, since Postern numbers no projects.
    public var projectNumber: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in projectID.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(100_000_000_000 + hash % 900_000_000_000)
    }
}
