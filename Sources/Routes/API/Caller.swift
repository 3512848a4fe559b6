internal import ActionCodes
internal import HTTP

/// Who calls, as far as the request says (wire-contract.md §1).
enum Caller: Sendable {
    /// Holds an admin token.
    case privileged
    /// Names a project by its API key.
    case key(String)

    /// Reads the credentials. Bearer wins over a key; another kind of Authorization is ignored.
    init(_ request: HTTPRequest, directory: ProjectDirectory, acceptsPrivileged: Bool) throws(APIError) {
        if let header = request.headers["Authorization"], let token = Self.bearerToken(header) {
            guard acceptsPrivileged, directory.isPrivileged(token, origin: request.headers["Origin"]) else { throw .invalidCredentials }
            self = .privileged
            return
        }
        guard let key = Self.apiKey(request) else { throw .missingAPIKey }
        self = .key(key)
    }

    var isPrivileged: Bool {
        if case .privileged = self { return true }
        return false
    }

    /// The API key in the query or its header, if it is not empty.
    static func apiKey(_ request: HTTPRequest) -> String? {
        if let item = request.queryItems().first(where: { $0.name == "key" }), let key = item.value, !key.isEmpty { return key }
        guard let key = request.headers["X-Goog-Api-Key"], !key.isEmpty else { return nil }
        return key
    }

    private static func bearerToken(_ header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
