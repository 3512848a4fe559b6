import Crypto
import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct SignUpTests {
    private let fixture: AccountFixture
    private let now: UnixTime
    private let second: UnixTime

    init() throws {
        fixture = try AccountFixture()
        now = fixture.clock.now
        second = UnixTime(seconds: now.seconds)
    }

    private func request(_ change: (inout SignUp.Request) -> Void) -> SignUp.Request {
        var request = SignUp.Request()
        change(&request)
        return request
    }

    private func withPassword(_ email: String = "a@example.com", _ password: String = "secret") -> SignUp.Request {
        request {
            $0.email = email
            $0.password = password
        }
    }

    // MARK: Unprivileged

    @Test func anonymous() async throws {
        let signedIn = try await fixture.signUp.signUp(
            request {
                $0.displayName = "ignored"
                $0.phoneNumber = "ignored"
                $0.disabled = true
                $0.emailVerified = true
            })
        let user = try #require(fixture.store.user(signedIn.user.id))
        #expect(user == signedIn.user)
        #expect(user.isAnonymous)
        #expect(user.displayName == nil && !user.disabled && !user.emailVerified)
        #expect(user.id.utf8.count == 28)
        #expect((user.createdAt, user.lastLoginAt, user.lastRefreshAt, user.validSince) == (now, now, now, second))
        let claims = try fixture.claims(signedIn.idToken)
        #expect((claims.userID, claims.signInProvider, claims.authTime) == (user.id, "anonymous", second))
        #expect(signedIn.expiresIn == .seconds(3600))
        #expect(fixture.store.sessions.map(\.tokenHash) == [SHA256.digest(Array(signedIn.refreshToken.utf8))])
        #expect(fixture.store.sessions.map(\.signInProvider) == ["anonymous"])
        #expect(fixture.store.writes == 1)
    }

    @Test func emailAndPassword() async throws {
        var request = withPassword(" A@Example.COM".trimmed)
        request.displayName = "Name"
        request.emailVerified = true
        let signedIn = try await fixture.signUp.signUp(request)
        let user = try #require(fixture.store.user(signedIn.user.id))
        #expect(user.email?.text == "a@example.com")
        #expect(!user.emailVerified)
        #expect(user.displayName == "Name")
        #expect(user.passwordUpdatedAt == now)
        let hash = try #require(user.passwordHash.flatMap(PasswordHash.init(encoded:)))
        #expect(try hash.matches("secret"))
        #expect(try !hash.matches("Secret"))
        #expect(try fixture.claims(signedIn.idToken).signInProvider == "password")
    }

    @Test func anonymousBecomesLinked() async throws {
        let anonymous = try await fixture.signUp.signUp(SignUp.Request())
        fixture.clock.advance(by: .seconds(10))
        var request = withPassword()
        request.idToken = anonymous.idToken
        let linked = try await fixture.signUp.signUp(request)
        #expect(linked.user.id == anonymous.user.id)
        #expect(fixture.store.users.count == 1)
        let user = try #require(fixture.store.user(linked.user.id))
        #expect(!user.isAnonymous)
        #expect(user.initialEmail == nil)
        #expect(user.createdAt == now)
        #expect(user.validSince == second + .seconds(10))
        #expect(try fixture.claims(linked.idToken).signInProvider == "password")
        #expect(fixture.store.sessions.count == 2)
        // The anonymous token is older than the password.
        #expect(await refusal { try await fixture.lookup.owner(idToken: anonymous.idToken) } == .tokenExpired)
        #expect(try await fixture.lookup.owner(idToken: linked.idToken) == user)
    }

    @Test func replacingThePasswordEndsOtherSessions() async throws {
        let first = try await fixture.signUp.signUp(withPassword())
        var request = withPassword("a@example.com", "another")
        request.idToken = first.idToken
        let second = try await fixture.signUp.signUp(request)
        #expect(second.user.id == first.user.id)
        #expect(fixture.store.sessions.map(\.tokenHash) == [SHA256.digest(Array(second.refreshToken.utf8))])
    }

    /// A stolen token must not carry an account to another address: no way back would be mailed.
    @Test func anAddressIsNeverReplaced() async throws {
        let first = try await fixture.signUp.signUp(withPassword())
        let before = try #require(fixture.store.user(first.user.id))
        var request = withPassword("b@example.com", "another")
        request.idToken = first.idToken
        await #expect(throws: AccountError.emailChangeNeedsVerification) { try await fixture.signUp.signUp(request) }
        #expect(fixture.store.user(first.user.id) == before)
        #expect(fixture.store.sessions.count == 1)
    }

    @Test func aPasswordNeedsARecentSignIn() async throws {
        let first = try await fixture.signUp.signUp(withPassword())
        fixture.clock.advance(by: .seconds(301))
        var request = withPassword("a@example.com", "another")
        request.idToken = first.idToken
        await #expect(throws: AccountError.credentialTooOld) { try await fixture.signUp.signUp(request) }
    }

    @Test func aPasswordForOnesOwnAddress() async throws {
        let user = try fixture.addUser("uid") {
            $0.email = try EmailAddress("a@example.com")
            $0.emailVerified = true
            $0.emailLinkSignIn = true
            $0.displayName = "kept"
        }
        var request = withPassword()
        request.idToken = try fixture.signIn(user).idToken
        let signedIn = try await fixture.signUp.signUp(request)
        #expect(signedIn.user.id == "uid")
        #expect(signedIn.user.emailVerified)
        #expect(signedIn.user.emailLinkSignIn)
        #expect(signedIn.user.displayName == "kept")
        #expect(signedIn.user.passwordHash != nil)
        // Nothing was replaced.
        #expect(fixture.store.sessions.count == 2)
    }

    /// One row: what is wrong, everything later being wrong too where it can be, and the first thing that is told.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var expected: AccountError?
        var policy: @Sendable (inout AccountPolicy) -> Void = { _ in }
        var request: @Sendable (inout SignUp.Request) -> Void
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "a user id comes before everything", expected: .unexpectedParameterUserID, policy: { $0.passwordSignIn = false }) {
            ($0.userID, $0.password) = ("x", "p")
        },
        Row(name: "a password alone", expected: .missingEmail) { $0.password = "secret" },
        Row(name: "an empty address with a password", expected: .missingEmail) { ($0.email, $0.password) = ("", "secret") },
        Row(name: "a token alone", expected: .missingEmail) { $0.idToken = "bad" },
        Row(name: "an address alone", expected: .missingPassword, policy: { $0.passwordSignIn = false }) { $0.email = "no address" },
        Row(name: "an empty password", expected: .missingPassword) { ($0.email, $0.password) = ("a@example.com", "") },
        Row(
            name: "passwords off", expected: .operationNotAllowed,
            policy: { ($0.passwordSignIn, $0.allowSignUp) = (false, false) }
        ) { ($0.email, $0.password) = ("no address", "p") },
        Row(name: "sign-up off", expected: .adminOnlyOperation, policy: { $0.allowSignUp = false }) {
            ($0.email, $0.password) = ("no address", "p")
        },
        Row(name: "sign-up off, anonymous", expected: .adminOnlyOperation, policy: { $0.allowSignUp = false }) { $0.email = "" },
        Row(name: "an empty address, nothing else", expected: .invalidEmail) { $0.email = "" },
        Row(name: "an empty address and password", expected: .invalidEmail) { ($0.email, $0.password) = ("", "") },
        Row(name: "no address", expected: .invalidEmail) { ($0.email, $0.password, $0.idToken) = ("no address", "p", "bad") },
        Row(name: "a taken address", expected: .emailExists) { ($0.email, $0.password, $0.idToken) = ("TAKEN@example.com", "p", "bad") },
        Row(name: "a short password", expected: .weakPassword) { ($0.email, $0.password, $0.idToken) = ("a@example.com", "12345", "bad") },
        Row(name: "a long name", expected: .invalidProfileAttribute) {
            ($0.email, $0.password, $0.idToken) = ("a@example.com", "123456", "bad")
            $0.displayName = String(repeating: "n", count: 1025)
        },
        Row(name: "a bad token", expected: .invalidIDToken) { ($0.email, $0.password, $0.idToken) = ("a@example.com", "123456", "bad") },
        Row(name: "six characters", expected: nil) { ($0.email, $0.password) = ("a@example.com", "123456") },
        Row(name: "empty strings only", expected: nil) { ($0.password, $0.idToken, $0.userID) = ("", "", "") },
    ])
    func orderOfChecks(row: Row) async throws {
        try fixture.addUser("other") { $0.email = try EmailAddress("taken@example.com") }
        var policy = fixture.policy
        row.policy(&policy)
        let signUp = fixture.signUp(policy)
        #expect(await refusal { try await signUp.signUp(request(row.request)) } == row.expected)
        #expect(fixture.store.users.count == (row.expected == nil ? 2 : 1))
        #expect(fixture.store.sessions.count == (row.expected == nil ? 1 : 0))
    }

    @Test func theTokensAccountIsCheckedLast() async throws {
        var user = fixture.addUser("uid")
        var request = withPassword()
        request.idToken = try fixture.signIn(user).idToken
        user.disabled = true
        fixture.store.put(user)
        #expect(await refusal { try await fixture.signUp.signUp(request) } == .userDisabled)
        request.password = "short"
        #expect(await refusal { try await fixture.signUp.signUp(request) } == .weakPassword)
        #expect(fixture.store.user("uid") == user)
    }

    @Test func linkingNeedsNoOpenSignUp() async throws {
        var policy = fixture.policy
        policy.allowSignUp = false
        var request = withPassword()
        request.idToken = try fixture.signIn(fixture.addUser("uid"), provider: "anonymous").idToken
        #expect(try await fixture.signUp(policy).signUp(request).user.id == "uid")
    }

    @Test func manySignUpsWithOneAddressMakeOneAccount() async throws {
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for _ in 0..<10 {
                group.addTask { [fixture, withPassword] in
                    await refusal { try await fixture.signUp.signUp(withPassword("a@example.com", "secret")) }
                }
            }
            return await group.reduce(into: [AccountError?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .emailExists } == 9)
        #expect(fixture.store.users.count == 1)
    }

    @Test func aFailingStoreIsNoRefusal() async throws {
        let fixture = try AccountFixture(store: FakeAccountStore(failure: .stopped))
        #expect(await refusal { try await fixture.signUp.signUp(SignUp.Request()) } == .store(.stopped))
    }

    // MARK: Privileged

    @Test func everythingAnAdministratorMaySet() async throws {
        let user = try await fixture.signUp.create(
            request {
                $0.userID = "chosen"
                $0.email = "a@example.com"
                $0.password = "secret"
                $0.displayName = "Name"
                $0.photoURL = "https://example.com/a.png"
                $0.phoneNumber = "+1 (650) 555-34.34"
                $0.emailVerified = true
                $0.disabled = true
            })
        #expect(fixture.store.user("chosen") == user)
        #expect(user.email?.text == "a@example.com")
        #expect(user.emailVerified && user.disabled)
        #expect((user.displayName, user.photoURL, user.phoneNumber) == ("Name", "https://example.com/a.png", "+16505553434"))
        #expect(user.passwordHash != nil)
        #expect(user.lastLoginAt == nil)
        #expect(fixture.store.sessions.isEmpty)
    }

    @Test func anAddressWithoutPasswordOrNothingAtAll() async throws {
        var closed = fixture.policy
        (closed.allowSignUp, closed.passwordSignIn) = (false, false)
        let signUp = fixture.signUp(closed)
        let user = try await signUp.create(request { $0.email = "a@example.com" })
        #expect(user.id.utf8.count == 28)
        #expect(user.passwordHash == nil)
        #expect(try await signUp.create(request { $0.email = "" }).isAnonymous)
    }

    @Test(arguments: [
        Row(name: "an id with a token", expected: .unexpectedParameterUserID) { ($0.userID, $0.idToken) = ("taken", "bad") },
        Row(name: "a long id", expected: .invalidLocalID) { $0.userID = String(repeating: "i", count: 129) },
        Row(name: "a taken id", expected: .duplicateLocalID) { ($0.userID, $0.phoneNumber, $0.email) = ("taken", "1", "no address") },
        Row(name: "no number", expected: .invalidPhoneNumber) { ($0.phoneNumber, $0.email) = ("555", "no address") },
        Row(name: "a taken number", expected: .phoneNumberExists) { ($0.phoneNumber, $0.email) = ("+1 555 0100", "no address") },
        Row(name: "no address", expected: .invalidEmail) { ($0.email, $0.password) = ("no address", "p") },
        Row(name: "a taken address", expected: .emailExists) { ($0.email, $0.password) = ("taken@example.com", "p") },
        Row(name: "a short password", expected: .weakPassword) { ($0.password, $0.idToken) = ("p", "bad") },
        Row(name: "a long picture", expected: .invalidProfileAttribute) {
            ($0.photoURL, $0.idToken) = (String(repeating: "p", count: 2049), "bad")
        },
        Row(name: "a bad token", expected: .invalidIDToken) { $0.idToken = "bad" },
        Row(name: "an id as long as may be", expected: nil) { $0.userID = String(repeating: "i", count: 128) },
    ])
    func orderOfPrivilegedChecks(row: Row) async throws {
        try fixture.addUser("taken") {
            $0.email = try EmailAddress("taken@example.com")
            $0.phoneNumber = "+15550100"
        }
        #expect(await refusal { try await fixture.signUp.create(request(row.request)) } == row.expected)
        #expect(fixture.store.users.count == (row.expected == nil ? 2 : 1))
    }

    @Test func aTokenChangesItsAccount() async throws {
        let signedIn = try fixture.signIn(fixture.addUser("uid"))
        let user = try await fixture.signUp.create(
            request {
                $0.idToken = signedIn.idToken
                $0.displayName = "New"
                $0.disabled = true
            })
        #expect((user.id, user.displayName, user.disabled) == ("uid", "New", true))
        #expect(fixture.store.sessions.isEmpty)
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
