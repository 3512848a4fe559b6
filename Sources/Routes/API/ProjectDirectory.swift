public import ActionCodes
internal import Crypto
public import Platform

/// Finds the project that a request is about, and knows who is privileged.
public struct ProjectDirectory: Sendable {
    /// How projects without configuration are treated.
    public enum Unknown: Sendable {
        /// They do not exist: `serve`.
        case refused
        /// They exist once somebody names them: `dev`. The function makes their settings; a key alone means `defaultProject`.
        case made(@Sendable (_ id: String) -> Project?, defaultProject: String)
    }

    private let projects: [String: Project]
    private let idsByKey: [String: String]
    private let adminTokens: [Secret<String>]
    private let unknown: Unknown
    private let overrides: ProjectOverridesDirectory?

    /// Takes the configured projects. In `dev`, `adminTokens` holds `owner` too. `overrides` is what administrators have changed.
    public init(
        projects: [Project], adminTokens: [Secret<String>], unknown: Unknown = .refused, overrides: ProjectOverridesDirectory? = nil
    ) {
        self.projects = Dictionary(projects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.idsByKey = Dictionary(
            projects.flatMap { project in project.apiKeys.map { ($0, project.id) } }, uniquingKeysWith: { first, _ in first })
        self.adminTokens = adminTokens
        self.unknown = unknown
        self.overrides = overrides
    }

    /// The configured projects, in no order.
    public var configured: [Project] { Array(projects.values) }

    /// The project with this id.
    public func project(id: String) -> Project? {
        if let project = projects[id] { return adjusted(project) }
        guard case .made(let make, _) = unknown else { return nil }
        return make(id).map(adjusted)
    }

    /// The project that an API key names.
    public func project(apiKey: String) -> Project? {
        if let id = idsByKey[apiKey] { return project(id: id) }
        guard case .made(_, let defaultProject) = unknown, !apiKey.isEmpty else { return nil }
        return Self.developmentProject(ofKey: apiKey).flatMap(project(id:)) ?? project(id: defaultProject)
    }

    /// The project of a privileged call that names none: the only one there is, or `dev`'s default.
    public var impliedProject: Project? {
        if case .made(_, let defaultProject) = unknown { return project(id: defaultProject) }
        return projects.count == 1 ? projects.values.first.map(adjusted) : nil
    }

    /// Whether a configured project passes a test.
    func contains(where test: (Project) -> Bool) -> Bool { projects.values.contains(where: test) }

    private func adjusted(_ project: Project) -> Project { overrides?.apply(to: project) ?? project }

    /// Whether a Bearer token is privileged. Every configured token is compared, each in constant time.
    ///
    /// In `dev` the token is no secret, and any page that a developer happens to have open can call a loopback port: there a call that names
    /// an `origin` must come from a page of this machine.
    public func isPrivileged(_ token: String, origin: String?) -> Bool {
        if case .made = unknown, let origin, ContinueURL(origin).map({ !ContinueURL.isLoopback($0.host) }) ?? true { return false }
        let bytes = Array(token.utf8)
        return adminTokens.reduce(false) { found, known in
            constantTimeEquals(bytes, Array(known.exposed.utf8)) || found
        }
    }

    /// The API key that links of an unconfigured project hold in `dev`, so that they lead back to the same project.
    public static func developmentKey(of project: String) -> String { "dev-key-" + project }

    private static func developmentProject(ofKey key: String) -> String? {
        let prefix = "dev-key-"
        return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }
}
