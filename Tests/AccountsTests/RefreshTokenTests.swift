import Crypto
import Platform
import Testing

@testable import Accounts

@Suite struct RefreshTokenTests {
    @Test func roundTrip() throws {
        let token = RefreshToken.make(.seeded(3))
        #expect(token.text.utf8.count == 43)
        #expect(RefreshToken(token.text)?.hash == token.hash)
        #expect(token.hash == SHA256.digest(Array(token.text.utf8)))
        #expect(RefreshToken.make(.system).text != RefreshToken.make(.system).text)
    }

    @Test(arguments: [
        "", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "A", count: 42) + "B",
    ])
    func refused(text: String) {
        #expect(RefreshToken(text) == nil)
    }

    @Test func nothingPrintsIt() {
        let token = RefreshToken.make(.seeded(3))
        let signedIn = SignedIn(
            user: User(id: "uid", projectID: "demo", createdAt: UnixTime(seconds: 0)), idToken: "secret-id-token", refreshToken: token.text)
        var dumped = ""
        dump([token as Any, signedIn as Any], to: &dumped)
        for text in ["\(token)", "\(signedIn)", String(reflecting: token), String(reflecting: signedIn), dumped] {
            #expect(!text.contains(token.text))
            #expect(!text.contains("secret-id-token"))
        }
    }

    @Test func newSession() {
        var user = User(id: "uid", projectID: "demo", createdAt: UnixTime(seconds: 0))
        user.disabled = false
        let now = UnixTime(milliseconds: 1_800_000_000_750)
        let (session, token) = NewSession.make(for: user, provider: "password", now: now, randomness: .seeded(3))
        #expect(
            session
                == Session(
                    tokenHash: SHA256.digest(Array(token.utf8)), projectID: "demo", userID: "uid", signInProvider: "password", authTime: now
                ))
    }
}
