import Mail
import Testing

@testable import Accounts

@Suite struct LookupAccountsTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    @Test(arguments: [(nil, AccountError.missingIDToken), ("", .missingIDToken), ("bad", .invalidIDToken)])
    func refusedTokens(token: String?, expected: AccountError) async {
        #expect(await refusal { try await fixture.lookup.owner(idToken: token) } == expected)
    }

    @Test func theOwner() async throws {
        let user = fixture.addUser("uid")
        #expect(try await fixture.lookup.owner(idToken: fixture.signIn(user).idToken) == user)
    }

    @Test func eachAccountOnceInTheOrderOfTheQuery() async throws {
        try fixture.addUser("email") { $0.email = try EmailAddress("a@example.com") }
        fixture.addUser("phone") { $0.phoneNumber = "+15550100" }
        fixture.addUser("google") { $0.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: "g")] }
        fixture.addUser("id")
        fixture.addUser("foreign", project: "other")
        var query = LookupAccounts.Query()
        query.userIDs = ["id", "unknown", "google", "id", "foreign", ""]
        query.emails = ["no address", "", "A@example.com", "b@example.com", "a@example.com"]
        query.phoneNumbers = ["", "+1 555 0100", "5550100"]
        query.federatedUserIDs = [("google.com", "g"), ("apple.com", "g"), ("google.com", "x")]
        #expect(try await fixture.lookup.matches(query).map(\.id) == ["id", "google", "email", "phone"])
        #expect(try await fixture.lookup.matches(LookupAccounts.Query()).isEmpty)
    }
}
