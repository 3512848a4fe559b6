import Crypto
import FoundationEssentials
import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct IDTokenVerifierTests {
    private let fixture: AccountFixture
    private let user: User
    private let token: String

    init() throws {
        fixture = try AccountFixture()
        user = fixture.addUser("uid")
        token = try fixture.signIn(user).idToken
    }

    private func refused(_ token: String, as error: AccountError = .invalidIDToken, _ comment: Comment? = nil) {
        #expect(throws: error, comment) { try fixture.claims(token) }
    }

    /// Any payload, signed as it should be unless told otherwise.
    private func signed(_ payload: String, header: String? = nil, key: SigningKey? = nil) throws -> String {
        let key = key ?? fixture.keys.current.signingKey
        let header = header ?? #"{"alg":"ES256","kid":"\#(fixture.keys.current.signingKey.keyID)","typ":"JWT"}"#
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return text + "." + Base64URL.encode(try key.signature(over: Array(text.utf8)))
    }

    private func payload(_ replaced: String = "", by replacement: String = "") -> String {
        let text =
            #"{"iss":"https://securetoken.google.com/demo","aud":"demo","auth_time":1800000000,"user_id":"uid","sub":"uid","#
            + #""iat":1800000000,"exp":1800003600,"firebase":{"identities":{},"sign_in_provider":"password"}}"#
        return replaced.isEmpty ? text : text.replacing(replaced, with: replacement)
    }

    @Test func claimsOfAGoodToken() throws {
        let expected = IDTokenClaims(
            projectID: "demo", userID: "uid", issuedAt: UnixTime(seconds: 1_800_000_000), authTime: UnixTime(seconds: 1_800_000_000),
            expiresAt: UnixTime(seconds: 1_800_003_600), signInProvider: "password")
        #expect(try fixture.claims(token) == expected)
        #expect(try fixture.claims(signed(payload())) == expected)
    }

    @Test func theAddressIsAmongThem() throws {
        let user = try fixture.addUser("addressed") { $0.email = try EmailAddress("anna@example.com") }
        #expect(try fixture.claims(try fixture.signIn(user).idToken).email == user.email)
    }

    @Test func everyFlippedCharacterIsRefused() {
        let characters = Array(token.utf8)
        for index in characters.indices {
            var changed = characters
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            refused(String(decoding: changed, as: UTF8.self), "character \(index)")
        }
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "é.é.é", "null"])
    func nonsense(text: String) {
        refused(text)
    }

    @Test func otherNumbersOfParts() {
        refused(token + ".")
        refused("." + token)
        refused(token + ".AAAA")
        refused(String(token.prefix { $0 != "." }))
        refused(" " + token)
        refused(token + "=")
    }

    @Test func headersThatNobodyHereWrote() throws {
        let kid = fixture.keys.current.signingKey.keyID
        let parts = token.split(separator: ".")
        refused(Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + ".\(parts[1]).")
        refused(Base64URL.encode(Array(#"{"alg":"none","kid":"\#(kid)","typ":"JWT"}"#.utf8)) + ".\(parts[1]).")
        for header in [
            #"{"alg":"none","kid":"\#(kid)","typ":"JWT"}"#, #"{"alg":"RS256","kid":"\#(kid)","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"\#(kid)","typ":"JWT"}"#, #"{"alg":"ES256","typ":"JWT"}"#, #"{"alg":"ES256","kid":"x","typ":"JWT"}"#,
            #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT","crit":["exp"]}"#,
        ] {
            refused(try signed(payload(), header: header), "\(header)")
        }
    }

    @Test func anotherKeyUnderOurKeyID() throws {
        refused(try signed(payload(), key: .generate(.es256)))
    }

    @Test func anotherServersKey() throws {
        let other = try AccountFixture()
        refused(try other.signIn(other.addUser("uid")).idToken)
    }

    @Test func claimsThatAreNotOurs() throws {
        for (old, new) in [
            (#""aud":"demo""#, #""aud":"other""#), (#""aud":"demo""#, #""aud":["demo"]"#), (".com/demo", ".com/other"),
            (#""sub":"uid""#, #""sub":"other""#), (#""user_id":"uid","sub":"uid""#, #""user_id":"","sub":"""#),
            (#""sub":"uid","#, ""), (#""exp":1800003600,"#, ""), (#""iat":1800000000"#, #""iat":"1800000000""#),
            ("1800003600", "1800003600.5"), ("1800003600", "1e400"), ("}}", "}"),
        ] {
            try #require(payload().contains(old))
            refused(try signed(payload(old, by: new)), "\(old) → \(new)")
        }
    }

    @Test func tokensOfAnotherProject() throws {
        let other = AccountPolicy(projectID: "other")
        #expect(throws: AccountError.invalidIDToken) { try fixture.verifier.verify(token, policy: other, now: fixture.clock.now) }
        let ownIssuer = AccountPolicy(projectID: "demo", issuer: "https://auth.example.com")
        #expect(throws: AccountError.invalidIDToken) { try fixture.verifier.verify(token, policy: ownIssuer, now: fixture.clock.now) }
    }

    @Test func expiry() throws {
        fixture.clock.advance(by: .seconds(3599))
        #expect(throws: Never.self) { try fixture.claims(token) }
        fixture.clock.advance(by: .milliseconds(249))
        #expect(throws: Never.self) { try fixture.claims(token) }
        fixture.clock.advance(by: .milliseconds(1))
        refused(token, as: .tokenExpired)
        // Only its own tokens are told to be expired.
        refused(try signed(payload(#""aud":"demo""#, by: #""aud":"other""#)))
    }

    @Test func length() throws {
        let filler = { (count: Int) in self.payload("{", by: "{") + String(repeating: " ", count: count) }
        #expect(throws: Never.self) { try fixture.claims(signed(filler(11_000))) }
        refused(try signed(filler(13_000)))
    }

    @Test(arguments: [
        (0, false, nil), (999, false, nil), (1000, false, AccountError.tokenExpired), (1000, true, .tokenExpired), (0, true, .userDisabled),
        (-5000, false, nil),
    ])
    func accountRefusals(validSinceOffset: Int64, disabled: Bool, expected: AccountError?) async throws {
        let issuedAt = try fixture.claims(token).issuedAt
        var user = user
        user.validSince = UnixTime(milliseconds: issuedAt.milliseconds + validSinceOffset)
        user.disabled = disabled
        fixture.store.put(user)
        #expect(await refusal { try await fixture.lookup.owner(idToken: token) } == expected)
    }

    @Test func unknownAccount() async throws {
        let claims = IDTokenClaims(
            projectID: "demo", userID: "gone", issuedAt: fixture.clock.now, authTime: fixture.clock.now, expiresAt: fixture.clock.now,
            signInProvider: "password")
        let result = try await fixture.store.readAccounts { reader throws(StoreError) in try claims.user(in: reader) }
        #expect(result == .failure(.userNotFound))
    }

    @Test func retiredKeysVerifyUntilTheyAreForgotten() throws {
        try fixture.keys.rotate()
        #expect(throws: Never.self) { try fixture.claims(token) }
        let newer = try fixture.signIn(user).idToken
        #expect(newer.prefix { $0 != "." } != token.prefix { $0 != "." })
        #expect(throws: Never.self) { try fixture.claims(newer) }
    }
}
