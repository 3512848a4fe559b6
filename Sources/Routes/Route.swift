internal import Platform

/// Everything that has an address. A path is read into a route first, and the verb is looked at afterwards, so that a wrong verb is told
/// from a wrong path.
enum Route: Sendable, Equatable {
    /// An operation of Identity Toolkit, on the project of the credential or on the one in the path.
    case api(APIOperation, project: String?, tenant: String?)
    /// The same by its name in v3, where any verb stands for POST (wire-contract.md §0.2).
    case legacy(APIOperation)
    /// Refresh of an ID token.
    case token
    /// `GET v1/projects`: what an API key's project allows; by its name in v3 with any verb.
    case publicConfiguration(legacy: Bool)
    /// What a project allows, for administrators.
    case projectConfiguration(project: String)
    /// The addresses of a project that get no mail, for administrators; one of them where the path names it.
    case suppressions(project: String, address: String?)
    /// The keys that verify ID tokens.
    case keys(KeysDocument)
    /// The description of every JSON route.
    case openAPI
    /// Apple's or Google's file for this host.
    case association(AssociationDocument)
    /// Where links lead.
    case action
    /// Where app links lead when no app has taken them.
    case appLink
    /// "This wasn't me" of every mail.
    case notMe
    /// The one style sheet of the pages.
    case styleSheet
    /// The picture that browsers ask for without being told: there is none, which is no mistake of the page.
    case icon
    /// The colours of a project's pages.
    case projectStyleSheet(project: String)
    /// The picture on a project's pages.
    case logo(project: String)
    /// Liveness, readiness, metrics.
    case operations(OperationsPage)
    /// The emulator's extras and the inbox; `dev` only.
    case development(DevelopmentRoute)

    /// The keys that verify ID tokens, in three forms.
    enum KeysDocument: Sendable { case jwks, openIDConfiguration, x509 }
    /// The two association files.
    enum AssociationDocument: Sendable { case apple, android }
    /// What an operator's machines ask for.
    enum OperationsPage: Sendable { case liveness, readiness, metrics }

    /// Reads a path as it was sent. A leading segment that is one of Google's host names is dropped, since SDKs in emulator mode put it there.
    init?(path: String) {
        let segments = Self.segments(of: path)
        guard let route = Self.apiRoute(segments) ?? Self.otherRoute(segments) else { return nil }
        self = route
    }

    /// The verbs that a route answers; HEAD goes with GET.
    var methods: [String] {
        switch self {
        case .api(let operation, _, _): operation.methods
        case .token: ["POST"]
        case .legacy, .publicConfiguration(legacy: true): ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        case .projectConfiguration: ["GET", "HEAD", "PATCH"]
        case .suppressions(_, let address): address == nil ? ["GET", "HEAD"] : ["DELETE"]
        case .publicConfiguration, .keys, .openAPI, .association, .appLink, .styleSheet, .projectStyleSheet, .logo, .icon, .operations:
            ["GET", "HEAD"]
        case .action, .notMe: ["GET", "HEAD", "POST"]
        case .development(let route): route.methods
        }
    }

    /// Whether browsers of any origin may call it.
    var allowsCrossOrigin: Bool {
        switch self {
        case .api, .legacy, .token, .publicConfiguration, .projectConfiguration, .keys, .openAPI: true
        case .suppressions, .association, .action, .appLink, .notMe, .styleSheet, .projectStyleSheet, .logo, .icon, .operations,
            .development:
            false
        }
    }

    /// Whether people see the answer.
    var isPage: Bool { self == .action || self == .appLink || self == .notMe }

    private static let googleHosts: Set<String> = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"]

    private static func segments(of path: String) -> [String] {
        // By bytes: a slash is never part of a larger character here.
        var segments = Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map { segment in
            PercentEncoding.decode(segment, plusIsSpace: false) ?? String(decoding: segment, as: UTF8.self)
        }
        if let first = segments.first, googleHosts.contains(first) { segments.removeFirst() }
        return segments
    }

    private static func apiRoute(_ segments: [String]) -> Route? {
        switch segments.count {
        case 2 where segments[0] == "v1":
            let name = segments[1]
            if name == "token" { return .token }
            if name == "projects" { return .publicConfiguration(legacy: false) }
            guard name.hasPrefix("accounts:") else { return nil }
            return APIOperation(method: name.dropFirst(9)).map { .api($0, project: nil, tenant: nil) }
        case 4 where segments[0] == "identitytoolkit" && segments[1] == "v3" && segments[2] == "relyingparty":
            if segments[3] == "getProjectConfig" { return .publicConfiguration(legacy: true) }
            return APIOperation(legacy: segments[3]).map { .legacy($0) }
        case 3 where segments[0] == "v1" && segments[1] == "projects" && segments[2].hasSuffix(":queryAccounts"):
            let project = String(segments[2].dropLast(14))
            return project.isEmpty ? nil : .api(.query, project: project, tenant: nil)
        case 4 where segments[0] == "v2" && segments[1] == "projects" && !segments[2].isEmpty && segments[3] == "config":
            return .projectConfiguration(project: segments[2])
        case 4 where segments[0] == "v2" && segments[1] == "projects" && !segments[2].isEmpty && segments[3] == "suppressions":
            return .suppressions(project: segments[2], address: nil)
        case 5 where segments.starts(with: ["v2", "projects"]) && !segments[2].isEmpty && segments[3] == "suppressions":
            return segments[4].isEmpty ? nil : .suppressions(project: segments[2], address: segments[4])
        // The path that production documents besides.
        case 5 where segments.starts(with: ["admin", "v2", "projects"]) && !segments[3].isEmpty && segments[4] == "config":
            return .projectConfiguration(project: segments[3])
        case 4 where segments[0] == "v1" && segments[1] == "projects" && !segments[2].isEmpty:
            return projectOperation(segments[3]).map { .api($0, project: segments[2], tenant: nil) }
        case 6 where segments[0] == "v1" && segments[1] == "projects" && !segments[2].isEmpty && segments[3] == "tenants":
            return projectOperation(segments[5]).map { .api($0, project: segments[2], tenant: segments[4]) }
        default:
            return nil
        }
    }

    private static func projectOperation(_ name: String) -> APIOperation? {
        if name == "accounts" { return .signUp }
        return name.hasPrefix("accounts:") ? APIOperation(projectMethod: name.dropFirst(9)) : nil
    }

    private static func otherRoute(_ segments: [String]) -> Route? {
        switch segments {
        case [".well-known", "jwks.json"]: .keys(.jwks)
        case [".well-known", "openid-configuration"]: .keys(.openIDConfiguration)
        case ["service_accounts", "v1", "jwk", "securetoken@system.gserviceaccount.com"]: .keys(.jwks)
        case ["robot", "v1", "metadata", "x509", "securetoken@system.gserviceaccount.com"]: .keys(.x509)
        case [".well-known", "apple-app-site-association"], ["apple-app-site-association"]: .association(.apple)
        case [".well-known", "assetlinks.json"]: .association(.android)
        case ["__", "auth", "action"]: .action
        case ["__", "auth", "links"]: .appLink
        case ["__", "auth", "not-me"]: .notMe
        case ["__", "auth", "style.css"]: .styleSheet
        case ["favicon.ico"]: .icon
        case let path where path.count == 4 && path[0] == "__" && path[1] == "auth" && path[2] == "style" && path[3].hasSuffix(".css"):
            .projectStyleSheet(project: String(path[3].dropLast(4)))
        case let path where path.count == 4 && path[0] == "__" && path[1] == "auth" && path[2] == "logo": .logo(project: path[3])
        case ["openapi.json"]: .openAPI
        case ["healthz"]: .operations(.liveness)
        case ["readyz"]: .operations(.readiness)
        case ["metrics"]: .operations(.metrics)
        default: DevelopmentRoute(segments).map { .development($0) }
        }
    }
}
