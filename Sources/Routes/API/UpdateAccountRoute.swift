internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform

/// `accounts:update` without an action code (wire-contract.md §8.2).
struct UpdateAccountRoute: Sendable {
    let accounts: AccountServices
    let update: UpdateAccountAndCodes
    let limits: CallLimits

    /// The answer to a request that has passed the checks of `UpdateAccountFields` and has no code.
    func respond(to fields: UpdateAccountFields, for call: APICall, project: Project) async throws(APIError) -> HTTPResponse {
        try limits.takeChange(fields.request, for: call, project, verifier: accounts.verifier, now: accounts.clock.now())
        let answer: UpdateAccount.Answer
        do {
            answer = try await update(fields.request, by: accounts.update(project.accounts), project: project)
        } catch {
            throw APIError(error)
        }
        return APIResponse.success(Self.members(of: answer.user, newEmail: answer.newEmail) + (answer.signedIn?.tokenMembers ?? []))
    }

    /// The account as both forms of `accounts:update` answer with it.
    static func members(of user: User, newEmail: String?) -> [(String, JSON?)] {
        [
            ("kind", .string("identitytoolkit#SetAccountInfoResponse")), ("localId", .string(user.id)),
            ("email", .optional(user.email?.text)), ("newEmail", .optional(newEmail)), ("emailVerified", .bool(user.emailVerified)),
            ("displayName", .optional(user.displayName)), ("photoUrl", .optional(user.photoURL)),
            ("passwordHash", user.passwordHash == nil ? nil : .string(User.redactedHash)), ("providerUserInfo", .array(user.providers)),
        ]
    }
}
