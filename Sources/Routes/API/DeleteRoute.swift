internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST accounts:delete`, in v3 `deleteAccount` (wire-contract.md §13).
struct DeleteRoute: Sendable {
    let accounts: AccountServices

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let idToken = try call.fields.string("idToken")
        let userID = try call.fields.string("localId")
        let delete = accounts.delete(try call.project().accounts)
        do {
            if call.caller.isPrivileged {
                try await delete.delete(userID: userID)
            } else {
                try await delete.delete(idToken: idToken)
            }
        } catch {
            throw APIError(error)
        }
        return APIResponse.success([("kind", .string("identitytoolkit#DeleteAccountResponse"))])
    }
}
