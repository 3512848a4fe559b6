internal import Accounts
internal import ActionCodes
internal import HTTP

/// `GET v1/projects`, in v3 `getProjectConfig`: what a key's project tells everybody (wire-contract.md §15).
struct PublicConfigurationRoute: Sendable {
    let directory: ProjectDirectory

    func respond(to request: HTTPRequest, acceptsPrivileged: Bool) throws(APIError) -> HTTPResponse {
        let caller = try Caller(request, directory: directory, acceptsPrivileged: acceptsPrivileged)
        let project: Project?
        switch caller {
        case .privileged: project = directory.impliedProject
        case .key(let key): project = directory.project(apiKey: key)
        }
        guard let project else { throw .invalidAPIKey }
        let domains: [String] =
            switch project.authorizedDomains {
            case .listed(let hosts): hosts.sorted()
            case .any: ["localhost", "127.0.0.1"]
            }
        return APIResponse.success([
            ("projectId", .string(project.accounts.projectNumber)), ("authorizedDomains", .array(domains.map { .string($0) })),
        ])
    }
}
