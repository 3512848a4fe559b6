import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct QueryAccountsTests {
    private let fixture: AccountFixture
    private let query: QueryAccounts

    init() throws {
        fixture = try AccountFixture()
        query = QueryAccounts(store: fixture.store, policy: fixture.policy)
        for (index, id) in ["c", "a", "b"].enumerated() {
            try fixture.addUser(id) { user in
                user.email = try EmailAddress("\(id)@example.com")
                user.phoneNumber = "+1555010\(index)"
                user.createdAt = UnixTime(seconds: Int64(index))
            }
        }
        fixture.addUser("foreign", project: "other")
    }

    private func ids(_ change: (inout QueryAccounts.Request) -> Void) async throws -> [String]? {
        var request = QueryAccounts.Request()
        change(&request)
        let answer = try await query(request)
        #expect(answer.users == nil || answer.users?.count == answer.count)
        return answer.users?.map(\.id)
    }

    @Test func pagesAndOrder() async throws {
        #expect(try await ids { _ in } == ["a", "b", "c"])
        #expect(try await ids { $0.order = .ascending(.createdAt) } == ["c", "a", "b"])
        #expect(
            try await ids {
                $0.offset = 1
                $0.limit = 1
            } == ["b"])
        #expect(try await ids { $0.offset = 3 } == [])
    }

    @Test func counts() async throws {
        var request = QueryAccounts.Request()
        request.returnsUsers = false
        request.limit = 1
        #expect(try await query(request) == QueryAccounts.Answer(count: 3))
        request.expressions = [QueryAccounts.Expression(userID: "a")]
        #expect(try await query(request) == QueryAccounts.Answer(count: 1))
        request.expressions = [QueryAccounts.Expression(userID: "foreign")]
        #expect(try await query(request) == QueryAccounts.Answer(count: 0))
    }

    @Test func expressions() async throws {
        for (expression, expected) in [
            (QueryAccounts.Expression(email: "A@Example.com"), ["a"]), (.init(email: "no address"), []),
            (.init(email: "x@example.com", phoneNumber: "+15550100", userID: "a"), []), (.init(phoneNumber: "+1 555 0100"), ["c"]),
            (.init(phoneNumber: "5550100"), []), (.init(userID: "b"), ["b"]), (.init(), []),
        ] {
            #expect(try await ids { $0.expressions = [expression, .init(userID: "c")] } == expected, "\(expression)")
        }
        #expect(
            try await ids {
                $0.expressions = [.init(userID: "b")]
                $0.offset = 1
            } == [])
    }

    @Test(arguments: [(0, 0), (-1, 0), (501, 0), (500, -1)])
    func outOfRange(limit: Int, offset: Int) async {
        var request = QueryAccounts.Request()
        request.limit = limit
        request.offset = offset
        #expect(await refusal { try await query(request) } == .invalidPageSelection)
    }
}
