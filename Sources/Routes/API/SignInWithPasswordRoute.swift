internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:signInWithPassword`, in v3 `verifyPassword` (wire-contract.md §12).
struct SignInWithPasswordRoute: Sendable {
    let accounts: AccountServices
    let limits: CallLimits

    /// Parameters of sign-in flows that belong to other releases.
    private static let unsupported = ["captchaChallenge", "captchaResponse", "idToken", "pendingIdToken"]

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let fields = call.fields
        let request = SignInWithPassword.Request(email: try fields.string("email"), password: try fields.string("password"))
        var unsupported: [String] = []
        for name in Self.unsupported where try fields.string(name)?.isEmpty == false { unsupported.append(name) }
        let project = try call.project()
        let signIn = accounts.signInWithPassword(project.accounts)
        do { try signIn.check(request) } catch { throw APIError(error) }
        if let name = unsupported.first { throw .notImplemented(name) }
        let answer = try await limits.attempt(request, for: call, project) { () throws(AccountError) in try await signIn.signIn(request) }
        return APIResponse.success(
            [
                ("kind", .string("identitytoolkit#VerifyPasswordResponse")), ("registered", .bool(true)),
                ("localId", .string(answer.user.id)), ("email", .optional(answer.user.email?.text)),
                ("displayName", .optional(answer.user.displayName)),
            ] + answer.tokenMembers)
    }
}
