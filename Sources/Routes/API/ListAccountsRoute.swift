internal import Accounts
internal import ActionCodes
internal import HTTP

/// `GET projects/{p}/accounts:batchGet`, in v3 `downloadAccount`, which has its parameters in the body (wire-contract.md §13).
struct ListAccountsRoute: Sendable {
    let accounts: AccountServices

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        let fields = call.parameters()
        let size = try fields.int("maxResults")
        let token = try fields.string("nextPageToken")
        let list = accounts.list(try call.project().accounts)
        let page: ListAccounts.Page
        do { page = try await list(size: size, pageToken: token) } catch { throw APIError(error) }
        return APIResponse.success([
            ("kind", .string("identitytoolkit#DownloadAccountResponse")), ("users", .array(page.users.map(\.asJSON))),
            ("nextPageToken", .optional(page.nextPageToken)),
        ])
    }
}
