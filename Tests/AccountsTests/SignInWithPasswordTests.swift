import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct SignInWithPasswordTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    private func request(_ email: String?, _ password: String?) -> SignInWithPassword.Request {
        SignInWithPassword.Request(email: email, password: password)
    }

    @discardableResult
    private func addUser(_ id: String, password: String?, _ change: (inout User) -> Void = { _ in }) async throws -> User {
        let hash: String? = if let password { try await fixture.passwords.hash(password) } else { nil }
        return try fixture.addUser(id) { user in
            user.email = try EmailAddress("\(id)@example.com")
            user.passwordHash = hash
            change(&user)
        }
    }

    @Test func startsASession() async throws {
        try await addUser("anna", password: "secret")
        fixture.clock.advance(by: .seconds(60))
        let signedIn = try await fixture.signInWithPassword.signIn(request("Anna@Example.com", "secret"))
        #expect(signedIn.user.id == "anna")
        let claims = try fixture.claims(signedIn.idToken)
        #expect(claims.signInProvider == "password")
        #expect(claims.authTime == UnixTime(seconds: fixture.clock.now.seconds))
        let session = try #require(fixture.store.sessions.first)
        #expect(session.tokenHash == RefreshToken(signedIn.refreshToken)?.hash)
        #expect(fixture.store.user("anna")?.lastLoginAt == fixture.clock.now)
        #expect(fixture.store.user("anna")?.lastRefreshAt == fixture.clock.now)
    }

    @Test(arguments: [
        (nil, nil, AccountError.missingEmail), (nil, "secret", .missingEmail), ("", "secret", .invalidEmail), ("anna", "", .invalidEmail),
        ("anna@example.com", nil, .missingPassword), ("anna@example.com", "", .missingPassword),
    ])
    func orderOfChecks(email: String?, password: String?, expected: AccountError) async throws {
        #expect(await refusal { try await fixture.signInWithPassword.signIn(request(email, password)) } == expected)
        #expect(await refusal { try fixture.signInWithPassword.check(request(email, password)) } == expected)
        var policy = fixture.policy
        policy.passwordSignIn = false
        #expect(await refusal { try await fixture.signInWithPassword(policy).signIn(request(email, password)) } == .passwordLoginDisabled)
    }

    @Test(arguments: [
        ("nobody", "secret", AccountError.invalidLoginCredentials, AccountError.emailNotFound),
        ("anna", "Secret", .invalidLoginCredentials, .invalidPassword), ("linked", "secret", .invalidLoginCredentials, .invalidPassword),
        ("linked", "postern decoy hash", .invalidLoginCredentials, .invalidPassword),
        ("shut", "secret", .userDisabled, .userDisabled), ("shut", "wrong", .userDisabled, .userDisabled),
        ("foreign", "secret", .invalidLoginCredentials, .emailNotFound),
    ])
    func whatIsTold(id: String, password: String, hidden: AccountError, told: AccountError) async throws {
        try await addUser("anna", password: "secret")
        try await addUser("linked", password: nil) { $0.emailLinkSignIn = true }
        try await addUser("shut", password: "secret") { $0.disabled = true }
        let foreign = try await addUser("foreign", password: "secret") { $0.projectID = "other" }
        #expect(foreign.projectID == "other")
        let request = request("\(id)@example.com", password)
        #expect(await refusal { try await fixture.signInWithPassword.signIn(request) } == hidden)
        #expect(await refusal { try await fixture.signInWithPassword(fixture.open).signIn(request) } == told)
        #expect(fixture.store.sessions.isEmpty)
        #expect(fixture.store.writes == 0)
    }

    @Test func aPasswordThatIsReplacedMeanwhileOpensNothing() async throws {
        let user = try await addUser("anna", password: "secret")
        let other = try await fixture.passwords.hash("other secret")
        let store = fixture.store
        store.beforeNextWrite {
            var changed = user
            changed.passwordHash = other
            store.put(changed)
        }
        #expect(
            await refusal { try await fixture.signInWithPassword.signIn(request("anna@example.com", "secret")) }
                == .invalidLoginCredentials)
        store.beforeNextWrite {
            var changed = user
            changed.disabled = true
            store.put(changed)
        }
        store.put(user)
        #expect(await refusal { try await fixture.signInWithPassword.signIn(request("anna@example.com", "secret")) } == .userDisabled)
        #expect(store.sessions.isEmpty)
    }

    @Test func aFailingStoreIsNoRefusal() async throws {
        let failing = try AccountFixture(store: FakeAccountStore(failure: .unavailable(cause: "disk full")))
        #expect(
            await refusal { try await failing.signInWithPassword.signIn(request("a@example.com", "secret")) }
                == .store(.unavailable(cause: "disk full")))
    }
}
