internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:signUp` and `projects/{p}/accounts`, in v3 `signupNewUser` (wire-contract.md §11).
struct SignUpRoute: Sendable {
    let accounts: AccountServices
    let limits: CallLimits

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let request = try read(call.fields)
        let project = try call.project()
        try limits.take(.signUps, for: call, project)
        let signUp = accounts.signUp(project.accounts)
        do {
            if call.caller.isPrivileged { return answer(try await signUp.create(request), tokens: []) }
            let signedIn = try await signUp.signUp(request)
            return answer(signedIn.user, tokens: signedIn.tokenMembers)
        } catch {
            throw APIError(error)
        }
    }

    private func answer(_ user: User, tokens: [(String, JSON?)]) -> HTTPResponse {
        // The JS SDK decides by this `kind` whether the account is new.
        APIResponse.success(
            [
                ("kind", .string("identitytoolkit#SignupNewUserResponse")), ("localId", .string(user.id)),
                ("displayName", .optional(user.displayName)), ("email", .optional(user.email?.text)),
            ] + tokens)
    }

    private func read(_ fields: RequestFields) throws(APIError) -> SignUp.Request {
        var request = SignUp.Request()
        request.idToken = try fields.string("idToken")
        request.email = try fields.string("email")
        request.password = try fields.string("password")
        request.displayName = try fields.string("displayName")
        request.photoURL = try fields.string("photoUrl")
        request.phoneNumber = try fields.string("phoneNumber")
        request.userID = try fields.string("localId")
        request.emailVerified = try fields.bool("emailVerified") ?? false
        request.disabled = try fields.bool("disabled") ?? false
        return request
    }
}
