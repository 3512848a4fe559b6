internal import ActionCodes
internal import HTTP
internal import Platform

/// A call of an Identity Toolkit operation, past every check that is the same for all of them.
struct APICall: Sendable {
    let request: HTTPRequest
    let caller: Caller
    let fields: RequestFields
    /// Where the call comes from; nil when nobody knows.
    let client: IPAddress?
    private let pathProject: String?
    private let pathTenant: String?
    private let directory: ProjectDirectory
    private let mustNameProject: Bool

    /// Checks in the order of wire-contract.md §1: content type, credential, JSON. The types of the body's members and then `project()` follow.
    ///
    /// `pathProject` and `pathTenant` are the ones in the path, if it has them. `mustNameProject` is for calls that are never about the
    /// project of the credential.
    init(
        _ request: HTTPRequest, client: IPAddress?, pathProject: String?, pathTenant: String?, directory: ProjectDirectory,
        acceptsPrivileged: Bool, mustNameProject: Bool = false
    ) throws(APIError) {
        try Self.checkContentType(request)
        self.caller = try Caller(request, directory: directory, acceptsPrivileged: acceptsPrivileged)
        self.fields = try RequestFields(request.body)
        self.request = request
        self.client = client
        self.pathProject = pathProject
        self.pathTenant = pathTenant
        self.directory = directory
        self.mustNameProject = mustNameProject
    }

    /// The project that the call is about. Asked for once the members of the body were read, since a wrong type is told before a wrong target.
    func project() throws(APIError) -> Project {
        let target = if let pathProject { pathProject } else { try fields.string("targetProjectId") }
        if mustNameProject, target ?? "" == "" { throw .refused("INSUFFICIENT_PERMISSION") }
        let project = try Self.project(named: target == "" ? nil : target, caller: caller, directory: directory)
        // Projects here have no tenants; one that is named cannot exist.
        if pathTenant != nil { throw .refused("TENANT_NOT_FOUND") }
        if let tenant = try fields.string("tenantId"), !tenant.isEmpty { throw .refused("TENANT_NOT_FOUND") }
        return project
    }

    /// For calls that only administrators may make. Whoever names a project with a key alone is told about that first, as everywhere.
    func requirePrivilege() throws(APIError) {
        guard !caller.isPrivileged else { return }
        _ = try project()
        throw .refused("INSUFFICIENT_PERMISSION")
    }

    /// JSON with any parameters; a missing type is read as JSON.
    static func checkContentType(_ request: HTTPRequest) throws(APIError) {
        guard let type = request.headers["Content-Type"] else { return }
        guard mediaType(type) == "application/json" else { throw .contentType(type) }
    }

    /// The type and subtype, lower case, without parameters (RFC 9110 §8.3.1).
    static func mediaType(_ header: String) -> String {
        if header == "application/json" { return header }
        let type = header.prefix { $0 != ";" }
        return type.trimmingSpaces().lowercased()
    }

    private static func project(named target: String?, caller: Caller, directory: ProjectDirectory) throws(APIError) -> Project {
        switch (caller, target) {
        case (.key, .some):
            throw .refused("INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
        case (.key(let key), nil):
            guard let project = directory.project(apiKey: key) else { throw .invalidAPIKey }
            return project
        case (.privileged, .some(let id)):
            guard let project = directory.project(id: id) else { throw .refused("PROJECT_NOT_FOUND") }
            return project
        case (.privileged, nil):
            guard let project = directory.impliedProject else {
                throw .refused("INVALID_PROJECT_ID : Name the project in the path or as targetProjectId.")
            }
            return project
        }
    }

    /// What a call of an operation is given that is a GET: its query, or in v3 the body, whatever the verb.
    func parameters() -> RequestFields {
        guard pathProject != nil else { return fields }
        var members: [String: JSONValue] = [:]
        for item in request.queryItems() {
            if let value = item.value { members[item.name] = .string(value) }
        }
        return RequestFields(members)
    }

    /// `X-Firebase-Locale`, the language that the app chose.
    var locale: String? { request.headers["X-Firebase-Locale"] }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var result = drop { $0 == " " || $0 == "\t" }
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
    }
}
