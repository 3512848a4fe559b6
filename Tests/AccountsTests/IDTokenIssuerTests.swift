import Crypto
import FoundationEssentials
import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct IDTokenIssuerTests {
    private let now = UnixTime(milliseconds: 1_800_000_000_999)
    private let policy = AccountPolicy(projectID: "demo")

    private func payload(_ user: User, provider: String = "password") throws -> String {
        let session = Session(
            tokenHash: [], projectID: "demo", userID: user.id, signInProvider: provider, authTime: UnixTime(milliseconds: 1_799_999_000_500)
        )
        return String(decoding: try IDTokenIssuer.payload(for: user, session: session, policy: policy, now: now), as: UTF8.self)
    }

    private func user(_ change: (inout User) throws -> Void) rethrows -> User {
        var user = User(id: "uid", projectID: "demo", createdAt: now)
        try change(&user)
        return user
    }

    private let head =
        #"{"iss":"https://securetoken.google.com/demo","aud":"demo","auth_time":1799999000,"user_id":"uid","sub":"uid","#
        + #""iat":1800000000,"exp":1800003600"#

    @Test func anonymousToken() throws {
        #expect(
            try payload(user { _ in }, provider: "anonymous")
                == head + #","provider_id":"anonymous","firebase":{"identities":{},"sign_in_provider":"anonymous"}}"#)
    }

    @Test func fullToken() throws {
        let user = try user {
            $0.email = try EmailAddress("a@example.com")
            $0.emailVerified = true
            $0.phoneNumber = "+15550100"
            $0.displayName = "A \"quoted\" \\ näme\n\u{01}\u{1F}"
            $0.photoURL = "https://example.com/a.png"
            $0.federatedProviders = [
                FederatedProvider(providerID: "google.com", rawID: "g1"), FederatedProvider(providerID: "apple.com", rawID: "a1"),
                FederatedProvider(providerID: "google.com", rawID: "g2"),
            ]
            $0.customAttributes = #"{ "role" : "admin", "level": 1.50e2, "tags": [ 1, "x y" , {"k" : null} ] }"#
        }
        #expect(
            try payload(user)
                == head + #","email":"a@example.com","email_verified":true,"phone_number":"+15550100","#
                + #""name":"A \"quoted\" \\ näme\n\u0001\u001f","picture":"https://example.com/a.png","#
                + #""role":"admin","level":1.50e2,"tags":[1,"x y",{"k":null}],"#
                + #""firebase":{"identities":{"email":["a@example.com"],"phone":["+15550100"],"google.com":["g1","g2"],"#
                + #""apple.com":["a1"]},"sign_in_provider":"password"}}"#)
    }

    @Test(arguments: CustomClaims.reserved.union(CustomClaims.owned).sorted())
    func customClaimsNeverStandForTheAccount(name: String) throws {
        // The second name is the first one spelt with an escape.
        let spelled = "\\u00" + String(try #require(name.utf8.first), radix: 16) + name.dropFirst()
        for name in [name, spelled] {
            let user = user { $0.customAttributes = #"{"\#(name)":"stolen","kept":1}"# }
            let text = try payload(user)
            #expect(!text.contains("stolen"))
            #expect(text.contains(#""kept":1"#))
        }
    }

    @Test func anAdministratorMaySetNameAndPicture() throws {
        let text = try payload(
            user {
                $0.displayName = "own"
                $0.photoURL = "own"
                $0.customAttributes = #"{"name":"set","picture":"set"}"#
            })
        #expect(text.contains(#","name":"set","picture":"set","firebase""#))
        #expect(!text.contains("own"))
    }

    @Test func malformedCustomClaimsAreNotGuessed() {
        #expect(throws: AccountError.invalidClaims) { try payload(user { $0.customAttributes = "{" }) }
    }

    @Test(arguments: TokenKeys.algorithms)
    func tokenHasThreePartsAndNamesItsKey(algorithm: SigningKey.Algorithm) throws {
        let folder = try TemporaryFolder()
        let keys = try TokenKeys(folder: folder.path, algorithm: algorithm)
        let user = user { _ in }
        let (session, _) = NewSession.make(for: user, provider: "anonymous", now: now, randomness: .system)
        let token = try IDTokenIssuer(keys: keys, clock: WallClock { now }).issue(for: user, session: session, policy: policy)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
        #expect(header == #"{"alg":"\#(algorithm.rawValue)","kid":"\#(keys.current.signingKey.keyID)","typ":"JWT"}"#)
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(keys.current.signingKey.publicKey.isValid(signature, over: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func manyTasksSignAtOnce() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let keys = try TokenKeys(folder: folder.path, clock: clock.wall)
        let issuer = IDTokenIssuer(keys: keys, clock: clock.wall)
        let verifier = IDTokenVerifier(keys: keys)
        let policy = policy
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                group.addTask {
                    let user = User(id: "user\(index)", projectID: "demo", createdAt: clock.now)
                    let (session, _) = NewSession.make(for: user, provider: "password", now: clock.now, randomness: .system)
                    if index == 16 { try keys.rotate() }
                    let token = try issuer.issue(for: user, session: session, policy: policy)
                    #expect(try verifier.verify(token, policy: policy, now: clock.now).userID == user.id)
                }
            }
            try await group.waitForAll()
        }
        #expect(keys.current.published.count == 2)
    }
}
