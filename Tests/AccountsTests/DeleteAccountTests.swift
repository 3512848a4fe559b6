import Mail
import Testing

@testable import Accounts

@Suite struct DeleteAccountTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    @Test func byToken() async throws {
        fixture.addUser("other")
        let signedIn = try fixture.signIn(fixture.addUser("uid"))
        try await fixture.delete.delete(idToken: signedIn.idToken)
        #expect(fixture.store.users.map(\.id) == ["other"])
        #expect(fixture.store.sessions.isEmpty)
        #expect(await refusal { try await fixture.delete.delete(idToken: signedIn.idToken) } == .userNotFound)
    }

    @Test(arguments: [(nil, AccountError.missingIDToken), ("", .missingIDToken), ("bad", .invalidIDToken)])
    func refusedTokens(token: String?, expected: AccountError) async {
        #expect(await refusal { try await fixture.delete.delete(idToken: token) } == expected)
    }

    @Test func aShutAccountCannotDeleteItself() async throws {
        var user = fixture.addUser("uid")
        let signedIn = try fixture.signIn(user)
        user.disabled = true
        fixture.store.put(user)
        #expect(await refusal { try await fixture.delete.delete(idToken: signedIn.idToken) } == .userDisabled)
        #expect(fixture.store.users.count == 1)
    }

    @Test func anOldSignInDoesNotDelete() async throws {
        let user = try fixture.addUser("uid") { $0.email = try EmailAddress("a@example.com") }
        let session = try fixture.signIn(user)
        fixture.clock.advance(by: .seconds(301))
        let refreshed = try await fixture.refresh.refresh(
            RefreshSession.Request(grantType: "refresh_token", refreshToken: session.refreshToken))
        #expect(await refusal { try await fixture.delete.delete(idToken: refreshed.idToken) } == .credentialTooOld)
        #expect(fixture.store.users.count == 1)
        // An anonymous account has no way to sign in anew.
        let anonymous = try fixture.signIn(fixture.addUser("nobody"), provider: "anonymous")
        fixture.clock.advance(by: .seconds(301))
        try await fixture.delete.delete(idToken: anonymous.idToken)
        #expect(fixture.store.users.map(\.id) == ["uid"])
    }

    @Test func byID() async throws {
        fixture.addUser("uid")
        fixture.addUser("foreign", project: "other")
        try await fixture.delete.delete(userID: "uid")
        for (id, expected) in [
            (nil, AccountError.missingLocalID), ("", .missingLocalID), ("uid", .userNotFound), ("foreign", .userNotFound),
        ] {
            #expect(await refusal { try await fixture.delete.delete(userID: id) } == expected)
        }
        #expect(fixture.store.users.map(\.id) == ["foreign"])
    }
}
