import Testing

@testable import Accounts

@Suite struct DeleteAccountsTests {
    private let fixture: AccountFixture
    private let delete: DeleteAccounts

    init() throws {
        fixture = try AccountFixture()
        delete = DeleteAccounts(store: fixture.store, policy: fixture.policy)
    }

    @Test func onlyShutAccountsUnlessForced() async throws {
        let open = fixture.addUser("open")
        let shut = fixture.addUser("shut") { $0.disabled = true }
        fixture.addUser("foreign", project: "other") { $0.disabled = true }
        _ = try fixture.signIn(open)
        _ = try fixture.signIn(shut)
        let problems = try await delete(userIDs: ["unknown", "foreign", "open", "shut", "shut"], force: false)
        #expect(
            problems == [
                DeleteAccounts.Problem(index: 2, userID: "open", message: "NOT_DISABLED : Disable the account before batch deletion.")
            ])
        #expect(Set(fixture.store.users.map(\.id)) == ["open", "foreign"])
        #expect(fixture.store.sessions.map(\.userID) == ["open"])
        #expect(try await delete(userIDs: ["open"], force: true).isEmpty)
        #expect(fixture.store.users.map(\.id) == ["foreign"])
        #expect(fixture.store.sessions.isEmpty)
    }

    @Test(arguments: [0, 1001]) func howMany(count: Int) async {
        let ids = Array(repeating: "x", count: count)
        #expect(await refusal { try await delete(userIDs: ids, force: true) } == .localIDListExceedsLimit)
    }
}
