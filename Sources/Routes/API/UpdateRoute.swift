internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:update`, in v3 `setAccountInfo`: completes a code, or changes an account (wire-contract.md §8).
struct UpdateRoute: Sendable {
    let applyActionCode: ApplyActionCode
    let account: UpdateAccountRoute

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let fields = try UpdateAccountFields(call.fields, isPrivileged: call.caller.isPrivileged)
        let project = try call.project()
        try fields.check()
        guard let oobCode = fields.oobCode else { return try await account.respond(to: fields, for: call, project: project) }
        // With a code every other change is ignored, and `returnSecureToken` of the iOS SDK too: nobody is signed in by a code in a mail.
        let answer: ApplyActionCode.Answer
        do { answer = try await applyActionCode(oobCode, project: project) } catch { throw APIError(error) }
        return APIResponse.success(UpdateAccountRoute.members(of: answer.user, newEmail: answer.newEmail?.text))
    }
}
