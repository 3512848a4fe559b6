internal import Accounts
internal import HTTP
internal import Platform

/// `POST accounts:delete`, in v3 `deleteAccount` (wire-contract.md §13).
struct DeleteRoute: Sendable {
    let store: any AccountStore
    let verifier: IDTokenVerifier
    let clock: WallClock

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let delete = DeleteAccount(store: store, policy: call.project.accounts, verifier: verifier, clock: clock)
        let idToken = try call.fields.string("idToken")
        let userID = try call.fields.string("localId")
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
