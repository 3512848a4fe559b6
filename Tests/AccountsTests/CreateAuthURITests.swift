import Mail
import Testing

@testable import Accounts

@Suite struct CreateAuthURITests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    private func call(
        _ identifier: String?, _ continueURI: String? = "http://localhost", session: String? = "s", policy: AccountPolicy? = nil
    ) async throws(AccountError) -> CreateAuthURI.Answer {
        let use = CreateAuthURI(store: fixture.store, policy: policy ?? fixture.open, randomness: fixture.randomness)
        return try await use(CreateAuthURI.Request(identifier: identifier, continueURI: continueURI, sessionID: session))
    }

    @Test(arguments: [
        (nil, nil, AccountError.missingIdentifier), ("", "http://localhost", .missingIdentifier), ("anna", nil, .missingContinueURI),
        ("anna", "", .missingContinueURI), ("anna", "foo", .invalidIdentifier), ("a@example.com", "foo", .invalidContinueURI),
        ("a@example.com", "/here", .invalidContinueURI), ("a@example.com", "//host", .invalidContinueURI),
        ("a@example.com", "http://", .invalidContinueURI), ("a@example.com", "https:///x", .invalidContinueURI),
    ])
    func orderOfChecks(identifier: String?, continueURI: String?, expected: AccountError) async {
        for policy in [fixture.policy, fixture.open] {
            #expect(await refusal { try await call(identifier, continueURI, policy: policy) } == expected)
        }
    }

    @Test(arguments: ["http://localhost", "https://app.example.com:8443/a?b=c#d", "http://192.168.1.5:8080/", "ionic://localhost/"])
    func anyAbsoluteURLWillDo(continueURI: String) async throws {
        #expect(try await call("a@example.com", continueURI).methods?.isRegistered == false)
    }

    @Test func methods() async throws {
        func add(_ id: String, _ change: (inout User) -> Void) throws {
            try fixture.addUser(id) { user in
                user.email = try EmailAddress("\(id)@example.com")
                change(&user)
            }
        }
        try add("bare") { _ in }
        try add("password") { $0.passwordHash = "x" }
        try add("link") { $0.emailLinkSignIn = true }
        try add("both") {
            $0.passwordHash = "x"
            $0.emailLinkSignIn = true
            $0.phoneNumber = "+15550100"
        }
        try add("google") { $0.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: "g")] }
        for (id, registered, providers, methods) in [
            ("unknown", false, [], []), ("bare", true, [], []), ("password", true, ["password"], ["password"]),
            ("link", true, ["password"], ["emailLink"]), ("both", true, ["password"], ["password", "emailLink"]),
            ("google", true, ["google.com"], ["google.com"]),
        ] as [(String, Bool, [String], [String])] {
            let answer = try await call("\(id)@Example.com")
            #expect(
                answer.methods == CreateAuthURI.Methods(isRegistered: registered, providers: providers, signInMethods: methods), "\(id)")
            #expect(try await call("\(id)@Example.com", policy: fixture.policy) == CreateAuthURI.Answer(sessionID: "s"))
        }
    }

    @Test func withPrivacyNothingIsLookedAt() async throws {
        let failing = FakeAccountStore(failure: .stopped)
        let use = CreateAuthURI(store: failing, policy: fixture.policy, randomness: fixture.randomness)
        let answer = try await use(
            CreateAuthURI.Request(identifier: "a@example.com", continueURI: "http://localhost", sessionID: nil))
        #expect(answer.methods == nil)
        #expect(answer.sessionID.utf8.count == 27)
    }

    @Test func sessionIDs() async throws {
        #expect(try await call("a@example.com", session: "mine").sessionID == "mine")
        let drawn = try await call("a@example.com", session: "").sessionID
        #expect(drawn.utf8.count == 27 && drawn.utf8.allSatisfy { $0 < 0x7F && $0 > 0x2F })
        #expect(try await call("a@example.com", session: nil).sessionID != drawn)
    }
}
