import Testing

@testable import Accounts

@Suite struct ListAccountsTests {
    private let fixture: AccountFixture
    private let list: ListAccounts

    init() throws {
        fixture = try AccountFixture()
        list = ListAccounts(store: fixture.store, policy: fixture.policy)
    }

    @Test func goesThroughAllAccounts() async throws {
        for number in 100..<145 { fixture.addUser("u\(number)") }
        fixture.addUser("v", project: "other")
        var seen: [String] = []
        var token: String?
        var pages = 0
        repeat {
            let page = try await list(size: 15, pageToken: token)
            seen += page.users.map(\.id)
            token = page.nextPageToken
            pages += 1
        } while token != nil
        #expect(seen == (100..<145).map { "u\($0)" })
        // The third page is full, so that nobody can know that it is the last.
        #expect(pages == 4)
    }

    @Test(arguments: [(nil, 20), (0, 20), (1, 1), (1000, 1000), (1001, 1000), (Int.max, 1000)])
    func sizes(size: Int?, expected: Int) async throws {
        for number in 1000..<2010 { fixture.addUser("u\(number)") }
        let page = try await list(size: size, pageToken: "")
        #expect(page.users.count == expected)
        #expect(page.nextPageToken == "u\(999 + expected)")
    }

    @Test func anEmptyProject() async throws {
        #expect(try await list(size: nil, pageToken: nil) == ListAccounts.Page(users: []))
        #expect(await refusal { try await list(size: -1, pageToken: nil) } == .invalidPageSelection)
    }
}
