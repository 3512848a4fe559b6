internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST projects/{p}/accounts:query` and `projects/{p}:queryAccounts`.
struct QueryAccountsRoute: Sendable {
    let accounts: AccountServices

    private static let fields: [(name: String, number: Int, value: UserOrder.Field)] = [
        ("SORT_BY_FIELD_UNSPECIFIED", 0, .id), ("USER_ID", 1, .id), ("NAME", 2, .displayName), ("CREATED_AT", 3, .createdAt),
        ("LAST_LOGIN_AT", 4, .lastLoginAt), ("USER_EMAIL", 5, .email),
    ]
    private static let directions: [(name: String, number: Int, value: Bool)] = [
        ("ORDER_UNSPECIFIED", 0, false), ("ASC", 1, false), ("DESC", 2, true),
    ]

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        let request = try read(call.fields)
        let query = accounts.query(try call.project().accounts)
        let answer: QueryAccounts.Answer
        do { answer = try await query(request) } catch { throw APIError(error) }
        return APIResponse.success([
            ("recordsCount", .string(String(answer.count))), ("userInfo", answer.users.map { .array($0.map(\.asJSON)) }),
        ])
    }

    private func read(_ fields: RequestFields) throws(APIError) -> QueryAccounts.Request {
        var request = QueryAccounts.Request()
        request.returnsUsers = try fields.bool("returnUserInfo") ?? true
        request.limit = try fields.int("limit")
        request.offset = try fields.int("offset")
        request.order = UserOrder(
            field: try fields.value("sortBy", of: Self.fields) ?? .id,
            isDescending: try fields.value("order", of: Self.directions) ?? false)
        for item in try fields.objects("expression") ?? [] {
            request.expressions.append(
                QueryAccounts.Expression(
                    email: try item.string("email"), phoneNumber: try item.string("phoneNumber"), userID: try item.string("userId")))
        }
        return request
    }
}
