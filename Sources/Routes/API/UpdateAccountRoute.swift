internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:update` without an action code, in v3 `setAccountInfo` (wire-contract.md §8.2).
struct UpdateAccountRoute: Sendable {
    let accounts: AccountServices
    let update: UpdateAccountAndCodes

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let fields = try UpdateAccountFields(call.fields, isPrivileged: call.caller.isPrivileged)
        // Codes are applied elsewhere.
        guard fields.oobCode == nil else { throw .notImplemented("oobCode") }
        return try await respond(to: call, fields)
    }

    /// The answer to a request that has passed the checks of `UpdateAccountFields` and has no code.
    func respond(to call: APICall, _ fields: UpdateAccountFields) async throws(APIError) -> HTTPResponse {
        let answer: UpdateAccount.Answer
        do {
            answer = try await update(fields.request, by: accounts.update(call.project.accounts), project: call.project)
        } catch {
            throw APIError(error)
        }
        let user = answer.user
        let providers = user.providers
        return APIResponse.success(
            [
                ("kind", .string("identitytoolkit#SetAccountInfoResponse")), ("localId", .string(user.id)),
                ("email", .optional(user.email?.text)), ("newEmail", .optional(answer.newEmail)),
                ("emailVerified", .bool(user.emailVerified)), ("displayName", .optional(user.displayName)),
                ("photoUrl", .optional(user.photoURL)), ("passwordHash", user.passwordHash == nil ? nil : .string(User.redactedHash)),
                ("providerUserInfo", .array(providers)),
            ] + (answer.signedIn?.tokenMembers ?? []))
    }
}
