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
