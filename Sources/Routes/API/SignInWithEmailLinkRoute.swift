internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:signInWithEmailLink`, in v3 `emailLinkSignin` (wire-contract.md §6).
struct SignInWithEmailLinkRoute: Sendable {
    let signIn: SignInWithEmailLink

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let request = SignInWithEmailLink.Request(
            email: try call.fields.string("email"), oobCode: try call.fields.string("oobCode"),
            idToken: try call.fields.string("idToken"))
        let project = try call.project()
        let answer: SignInWithEmailLink.Answer
        do { answer = try await signIn(request, project: project) } catch { throw APIError(error) }
        return APIResponse.success(
            [
                ("kind", .string("identitytoolkit#EmailLinkSigninResponse")), ("email", .optional(answer.signedIn.user.email?.text)),
                ("localId", .string(answer.signedIn.user.id)), ("isNewUser", .bool(answer.isNewUser)),
            ] + answer.signedIn.tokenMembers)
    }
}
