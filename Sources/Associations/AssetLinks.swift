/// The `assetlinks.json` file of one host: which Android apps open its URLs (Digital Asset Links).
public struct AssetLinks: Sendable {
    /// Where the file is served.
    public static let path = "/.well-known/assetlinks.json"

    private struct Rules: Hashable {
        let dynamicAppLinks: Bool
        let extraComponents: [AppLinkComponent]
        let loginCredentials: Bool
    }

    private let apps: [(app: AndroidApp, rules: Rules)]

    private static let handleAllURLs = "delegate_permission/common.handle_all_urls"
    private static let getLoginCredentials = "delegate_permission/common.get_login_creds"

    /// The file of a host that serves one project, or several with the same options.
    public init(apps: AssociatedApps, options: AssociationOptions = .none) {
        let rules = Rules(
            dynamicAppLinks: options.dynamicAppLinks, extraComponents: options.extraAndroidComponents,
            loginCredentials: options.loginCredentials)
        self.apps = apps.android.map { ($0, rules) }
    }

    /// The file of a host that serves several projects, each with its own options.
    ///
    /// An app that several name gets the fingerprints of all; throws `conflictingOptions` when they want different statements for it.
    public init(projects: [ProjectAssociations]) throws(AssociationError) {
        var known: [String: Rules] = [:]
        for project in projects {
            for (app, rules) in AssetLinks(apps: project.apps, options: project.options).apps {
                guard known[app.packageName, default: rules] == rules else { throw .conflictingOptions(app: app.packageName) }
                known[app.packageName] = rules
            }
        }
        apps = AssociatedApps.merging(projects.map(\.apps)).android.compactMap { app in
            known[app.packageName].map { (app, $0) }
        }
    }

    /// The file's bytes and entity tag: one statement an app, `[]` when there is none.
    public func render() -> AssociationFile {
        AssociationFile(.array(apps.map { Self.statement($0.app, $0.rules) }))
    }

    private static func statement(_ app: AndroidApp, _ rules: Rules) -> JSONValue {
        let target: [(name: String, value: JSONValue)] = [
            ("namespace", .string("android_app")),
            ("package_name", .string(app.packageName)),
            ("sha256_cert_fingerprints", .strings(app.sha256CertFingerprints)),
        ]
        var members: [(name: String, value: JSONValue)] = [
            ("relation", .strings([handleAllURLs] + (rules.loginCredentials ? [getLoginCredentials] : []))),
            ("target", .object(target)),
        ]
        if rules.dynamicAppLinks {
            let components = JSONValue.array(components(rules))
            members.append(("relation_extensions", .object([(handleAllURLs, .object([("dynamic_app_link_components", components)]))])))
        }
        return .object(members)
    }

    /// The first match wins and the last one matches everything.
    private static func components(_ rules: Rules) -> [JSONValue] {
        [.object([("/", .string("/__/auth/links"))])]
            + rules.extraComponents.map(\.json)
            + [.object([("/", .string("*")), ("exclude", .bool(true))])]
    }
}
