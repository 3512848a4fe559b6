internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:resetPassword`, the same in v3: looks at a code of any kind, or sets a new password with one (wire-contract.md §7).
struct ResetPasswordRoute: Sendable {
    let checkActionCode: CheckActionCode
    let applyActionCode: ApplyActionCode

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let oobCode = try call.fields.string("oobCode")
        let newPassword = try call.fields.string("newPassword") ?? ""
        let project = try call.project()
        do {
            if newPassword.isEmpty {
                let found = try await checkActionCode(oobCode, project: project)
                return answer(found.operation, email: found.email, newEmail: found.newEmail)
            }
            let done = try await applyActionCode.resetPassword(oobCode, newPassword: newPassword, project: project)
            return answer(done.operation, email: done.email, newEmail: nil)
        } catch {
            throw APIError(error)
        }
    }

    private func answer(_ operation: Operation, email: EmailAddress?, newEmail: EmailAddress?) -> HTTPResponse {
        APIResponse.success([
            ("kind", .string("identitytoolkit#ResetPasswordResponse")), ("requestType", .string(operation.requestType)),
            ("email", .optional(email?.text)), ("newEmail", .optional(newEmail?.text)),
        ])
    }
}
