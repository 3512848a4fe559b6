import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct UpdateAccountRefusalTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
        for (id, number) in [("anna", "+15550100"), ("berta", "+15550101")] {
            try fixture.addUser(id) { user in
                user.email = try EmailAddress("\(id)@example.com")
                user.phoneNumber = number
                user.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: id)]
            }
        }
    }

    /// One field of a request that is wrong, or more.
    struct Case: Sendable {
        var name: String
        var expected: AccountError
        var change: @Sendable (inout UpdateAccountRequest) -> Void

        init(_ name: String, _ expected: AccountError, _ change: @escaping @Sendable (inout UpdateAccountRequest) -> Void) {
            self.name = name
            self.expected = expected
            self.change = change
        }
    }

    private func refused(_ request: UpdateAccountRequest, policy: AccountPolicy? = nil) async -> AccountError? {
        let before = fixture.store.users.sorted { $0.id < $1.id }
        let refusal = await refusal { try await fixture.update(policy ?? fixture.open)(request) }
        #expect(fixture.store.users.sorted { $0.id < $1.id } == before)
        return refusal
    }

    private func owned(_ change: (inout UpdateAccountRequest) -> Void) throws -> UpdateAccountRequest {
        var request = UpdateAccountRequest()
        request.idToken = try fixture.signIn(#require(fixture.store.user("anna"))).idToken
        change(&request)
        return request
    }

    static let administrators = [
        Case("no id", .missingLocalID) { $0.userID = nil },
        Case("empty id", .missingLocalID) {
            $0.userID = ""
            $0.customAttributes = "x"
        },
        Case("no claims", .invalidClaims) { $0.customAttributes = "[]" },
        Case("long claims", .claimsTooLarge) { $0.customAttributes = String(repeating: "x", count: 1001) },
        Case("reserved claim", .forbiddenClaim("aud")) { $0.customAttributes = #"{"a":1,"\u0061ud":2,"iss":3}"# },
        Case("provider", .notImplemented("deleteAttribute PROVIDER")) { $0.deletedAttributes = [.email, .provider] },
        Case("raw user info", .notImplemented("deleteAttribute RAW_USER_INFO")) {
            $0.userID = "unknown"
            $0.deletedAttributes = [.rawUserInfo]
        },
        Case("unknown id", .userNotFound) {
            $0.userID = "unknown"
            $0.email = "no address"
        },
        Case("malformed address", .invalidEmail) { $0.email = "no address" },
        Case("empty address", .invalidEmail) { $0.email = "" },
        Case("taken address", .emailExists) {
            $0.email = "Berta@example.com"
            $0.password = "short"
        },
        Case("weak password", .weakPassword) { $0.password = "12345" },
        Case("long name", .invalidProfileAttribute) { $0.displayName = String(repeating: "x", count: 1025) },
        Case("long picture", .invalidProfileAttribute) { $0.photoURL = String(repeating: "x", count: 2049) },
        Case("malformed number", .invalidPhoneNumber) { $0.phoneNumber = "5550101" },
        Case("taken number", .phoneNumberExists) { $0.phoneNumber = "+1 555 0101" },
        Case("no provider id", .missingProviderID) {
            $0.linkedProvider = .init()
            $0.linkedProvider?.rawID = "x"
        },
        Case("no raw id", .missingRawID) {
            $0.linkedProvider = .init()
            $0.linkedProvider?.providerID = "google.com"
        },
        Case("taken sign-in", .federatedUserIDAlreadyLinked) {
            $0.linkedProvider = .init()
            $0.linkedProvider?.providerID = "google.com"
            $0.linkedProvider?.rawID = "berta"
        },
    ]

    @Test(arguments: administrators) func toAdministrators(_ wrong: Case) async {
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        request.userID = "anna"
        wrong.change(&request)
        #expect(await refused(request, policy: fixture.policy) == wrong.expected, "\(wrong.name)")
    }

    static let owners = [
        Case("nothing", .unsupportedRequest) { $0.idToken = nil },
        Case("empty token", .unsupportedRequest) {
            $0.idToken = ""
            $0.customAttributes = "{}"
        },
        Case("claims", .insufficientPermission) {
            $0.idToken = "bad"
            $0.customAttributes = "{}"
        },
        Case("a sign-in elsewhere", .insufficientPermission) { $0.linkedProvider = .init() },
        Case("bad token", .invalidIDToken) {
            $0.idToken = "bad"
            $0.disabled = true
        },
        Case("shutting", .operationNotAllowed) {
            $0.disabled = false
            $0.email = "no address"
        },
        Case("malformed address", .invalidEmail) { $0.email = "no address" },
        Case("taken address", .emailExists) { $0.email = "berta@example.com" },
        Case("weak password", .weakPassword) { $0.password = "12345" },
        Case("long name", .invalidProfileAttribute) { $0.displayName = String(repeating: "x", count: 1025) },
    ]

    @Test(arguments: owners) func toOwners(_ wrong: Case) async throws {
        #expect(await refused(try owned(wrong.change)) == wrong.expected, "\(wrong.name)")
    }

    @Test(arguments: [("new@example.com", nil), ("berta@example.com", nil), ("new@example.com", "short"), ("berta@example.com", "secret")])
    func withPrivacyAnAddressIsProvedFirst(email: String, password: String?) async throws {
        let request = try owned {
            $0.email = email
            $0.password = password
        }
        #expect(await refused(request, policy: fixture.policy) == .emailChangeNeedsVerification)
        // Nor does an account without one get an address: signUp is the way.
        var nobody = request
        nobody.idToken = try fixture.signIn(fixture.addUser("nobody"), provider: "anonymous").idToken
        #expect(await refused(nobody, policy: fixture.policy) == .emailChangeNeedsVerification)
    }

    @Test func passwordsThatAreNotOffered() async throws {
        var policy = fixture.open
        policy.passwordSignIn = false
        #expect(await refused(try owned { $0.password = "short" }, policy: policy) == .passwordLoginDisabled)
        // An administrator may.
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        request.userID = "anna"
        request.password = "secret"
        #expect(try await fixture.update(policy)(request).user.passwordHash != nil)
    }

    @Test(arguments: [
        Case("address", .credentialTooOld) { $0.email = "berta@example.com" },
        Case("password", .credentialTooOld) { $0.password = "short" },
        Case("no address", .credentialTooOld) { $0.deletedAttributes = [.email] },
    ])
    func anOldSignIn(_ wrong: Case) async throws {
        let signedIn = try fixture.signIn(#require(fixture.store.user("anna")))
        for (seconds, isTooOld) in [(299, false), (2, true)] {
            fixture.clock.advance(by: .seconds(seconds))
            // A refreshed token is as old as its sign-in.
            var request = UpdateAccountRequest()
            request.idToken = try await fixture.refresh.refresh(
                RefreshSession.Request(grantType: "refresh_token", refreshToken: signedIn.refreshToken)
            ).idToken
            wrong.change(&request)
            guard isTooOld else { continue }
            #expect(await refused(request) == .credentialTooOld)
            request = UpdateAccountRequest()
            request.idToken = signedIn.idToken
            request.displayName = "Anna"
            #expect(try await fixture.update(request).user.displayName == "Anna")
        }
    }

    @Test func tokensThatOpenNothingAnyMore() async throws {
        let request = try owned { $0.displayName = "Anna" }
        var user = try #require(fixture.store.user("anna"))
        user.disabled = true
        fixture.store.put(user)
        #expect(await refused(request) == .userDisabled)
        user.validSince = fixture.clock.now + .seconds(1)
        fixture.store.put(user)
        #expect(await refused(request) == .tokenExpired)
        _ = try await fixture.store.writeAccounts { transaction throws(StoreError) in
            try transaction.deleteUser(id: "anna", project: "demo")
        }
        #expect(await refused(request) == .userNotFound)
    }

    /// A code is enough to say what is wanted; administrators name the account all the same.
    @Test func theChecksOfARequestWithACode() throws {
        try UpdateAccountRequest().check(hasCode: true)
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        #expect(throws: AccountError.missingLocalID) { try request.check(hasCode: true) }
    }

    @Test func anAddressThatIsTakenMeanwhile() async throws {
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        request.userID = "anna"
        request.email = "new@example.com"
        request.password = "secret"
        let (store, clock) = (fixture.store, fixture.clock)
        store.beforeNextWrite {
            var other = User(id: "carla", projectID: "demo", createdAt: clock.now)
            other.email = try? EmailAddress("new@example.com")
            store.put(other)
        }
        #expect(await refusal { try await fixture.update(request) } == .emailExists)
        #expect(fixture.store.user("anna")?.passwordHash == nil)
    }
}
