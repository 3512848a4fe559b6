internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST projects/{p}/accounts:batchDelete`.
struct DeleteAccountsRoute: Sendable {
    let accounts: AccountServices

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        let ids = try call.fields.strings("localIds") ?? []
        let force = try call.fields.bool("force") ?? false
        let deleteMany = accounts.deleteMany(try call.project().accounts)
        let problems: [DeleteAccounts.Problem]
        do { problems = try await deleteMany(userIDs: ids, force: force) } catch { throw APIError(error) }
        let errors = problems.map { problem in
            JSON.object([
                ("index", .int(problem.index)), ("localId", .string(problem.userID)), ("message", .string(problem.message)),
            ])
        }
        return APIResponse.success([("errors", errors.isEmpty ? nil : .array(errors))])
    }
}
