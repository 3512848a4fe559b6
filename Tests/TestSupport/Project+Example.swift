internal import Accounts
public import ActionCodes
internal import Mail
internal import Platform

extension Project {
    /// The project that most tests use: `example`, at https://auth.example.com with the link domain links.example.com.
    public static var example: Project {
        get throws {
            Project(
                id: "example", displayName: "Example", apiKeys: ["example-web-key"],
                authorizedDomains: .listed(["example.com", "localhost", "app.example.co.uk"]), linkDomains: ["links.example.com"],
                linkDomainPolicy: .listed(["links.example.com", "open.example.com"]), publicURL: "https://auth.example.com",
                accounts: AccountPolicy(projectID: "example"),
                mailFrom: Mailbox(name: "Example", address: try EmailAddress("noreply@example.com")))
        }
    }
}

extension KeyRing {
    /// Keys from one made-up secret; `rotated` has a newer one before it.
    public static let example = KeyRing(secrets: [secret(1)])
    /// The same after a rotation.
    public static let rotated = KeyRing(secrets: [secret(2), secret(1)])
    /// Keys that have nothing to do with the others.
    public static let foreign = KeyRing(secrets: [secret(3)])

    private static func secret(_ byte: UInt8) -> Secret<[UInt8]> { Secret([UInt8](repeating: byte, count: 32)) }
}
