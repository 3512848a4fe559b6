internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST /v1/token`: a refresh token for a fresh ID token (wire-contract.md §14). Form or JSON, snake_case or camelCase; an API key only.
struct TokenRoute: Sendable {
    let directory: ProjectDirectory
    let accounts: AccountServices

    func respond(to request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        let isForm = try isForm(request)
        guard let key = Caller.apiKey(request) else { throw .missingAPIKey }
        let fields = try isForm ? form(request.body) : RequestFields(request.body)
        guard let project = directory.project(apiKey: key) else { throw .invalidAPIKey }
        let refresh = accounts.refresh(project.accounts)
        let wanted = RefreshSession.Request(
            grantType: try fields.string("grantType"), refreshToken: try fields.string("refreshToken"))
        let answer: SignedIn
        do { answer = try await refresh.refresh(wanted) } catch { throw APIError(error) }
        return APIResponse.success([
            ("access_token", .string(answer.idToken)), ("expires_in", .string(String(answer.expiresIn.components.seconds))),
            ("token_type", .string("Bearer")), ("refresh_token", .string(answer.refreshToken)), ("id_token", .string(answer.idToken)),
            ("user_id", .string(answer.user.id)), ("project_id", .string(project.accounts.projectNumber)),
        ])
    }

    private func isForm(_ request: HTTPRequest) throws(APIError) -> Bool {
        guard let type = request.headers["Content-Type"] else { return false }
        switch APICall.mediaType(type) {
        case "application/x-www-form-urlencoded": return true
        case "application/json": return false
        default: throw .contentType(type)
        }
    }

    private func form(_ body: [UInt8]) -> RequestFields {
        var members: [String: JSONValue] = [:]
        for item in HTTPRequest.formItems(body) {
            if let value = item.value { members[item.name] = .string(value) }
        }
        return RequestFields(members)
    }
}
