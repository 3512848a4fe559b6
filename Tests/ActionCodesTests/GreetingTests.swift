import Accounts
import Mail
import Platform
import Testing

@testable import ActionCodes

/// Names that a stranger may have chosen, in mails from the project's domain.
@Suite struct GreetingTests {
    @Test(arguments: [
        ("Ada Lovelace", true), ("J. Doe", true), ("Jürgen Müller-Lüdenscheid", true), ("عائشة", true), ("O'Brien, Jr.", true),
        ("李小龍", true),
        ("", true), ("customer.\n\nYour account is locked", false), ("a\u{2028}b", false), ("https://evil.example/unlock", false),
        ("see evil.example now", false), ("evil.example", false), ("a@b", false), ("www.evil", false), ("<b>", false), ("a\u{0}b", false),
        ("a\u{202E}b", false), ("\u{2066}a\u{2069}", false),
        (String(repeating: "x", count: 65), false),
    ])
    func nameOfAVerifiedAccount(_ name: String, _ isUsed: Bool) throws {
        #expect(try Greeting.name(of: user(name, verified: true)) == (isUsed ? name : ""))
    }

    @Test func nobodyIsGreetedByTheNameOfAnUnprovedAddress() throws {
        #expect(try Greeting.name(of: user("Ada", verified: false)) == "")
        #expect(Greeting.name(of: nil) == "")
    }

    private func user(_ name: String, verified: Bool) throws -> User {
        var user = User(id: "u", projectID: "example", createdAt: UnixTime(seconds: 1_764_541_676))
        user.email = try EmailAddress("ada@example.com")
        user.emailVerified = verified
        user.displayName = name
        return user
    }
}
