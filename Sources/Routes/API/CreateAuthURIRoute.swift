internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST accounts:createAuthUri`, in v3 by the same name (wire-contract.md §9).
struct CreateAuthURIRoute: Sendable {
    let accounts: AccountServices
    let limits: CallLimits

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let fields = call.fields
        let provider = try fields.string("providerId")
        let request = CreateAuthURI.Request(
            identifier: try fields.string("identifier"), continueURI: try fields.string("continueUri"),
            sessionID: try fields.string("sessionId"))
        let project = try call.project()
        guard provider ?? "" == "" else { throw .notImplemented("providerId") }
        try limits.take(.signInMethods, for: call, project)
        let createAuthURI = accounts.createAuthURI(project.accounts)
        let answer: CreateAuthURI.Answer
        do { answer = try await createAuthURI(request) } catch { throw APIError(error) }
        return APIResponse.success([
            ("kind", .string("identitytoolkit#CreateAuthUriResponse")),
            ("registered", answer.methods.map { .bool($0.isRegistered) }),
            ("allProviders", answer.methods.map { .strings($0.providers) }),
            ("sessionId", .string(answer.sessionID)),
            ("signinMethods", answer.methods.map { .strings($0.signInMethods) }),
        ])
    }
}
