/// The `apple-app-site-association` file of one host: which Apple apps open which of its URLs.
public struct AppSiteAssociation: Sendable {
    /// Where the file is served, the same bytes at both: the place of today and the one that iOS 9 to 12 fall back to.
    public static let paths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

    /// The largest file that Apple's systems read, in bytes, uncompressed: 128 KiB (App Search Programming Guide).
    public static let maximumSize = 0x20000

    /// How an app's URLs are written. Apps with equal rules share an entry.
    private struct Rules: Hashable {
        let form: AppLinkForm
        let extraComponents: [AppLinkComponent]
    }

    private let apps: [(appID: String, rules: Rules)]
    private let appClips: [String]

    /// The file of a host that serves one project, or several with the same options.
    public init(apps: AssociatedApps, options: AssociationOptions = .none) {
        let rules = Rules(form: options.appLinkForm, extraComponents: options.extraComponents)
        self.apps = apps.apple.map { ($0.appID, rules) }
        appClips = options.appClips.map(\.appID).withoutDuplicates
    }

    /// The file of a host that serves several projects, each with its own options.
    ///
    /// Throws `conflictingOptions` when two projects name one app and want different entries for it.
    public init(projects: [ProjectAssociations]) throws(AssociationError) {
        var apps: [(appID: String, rules: Rules)] = []
        var known: [String: Rules] = [:]
        for project in projects {
            let file = AppSiteAssociation(apps: project.apps, options: project.options)
            for (appID, rules) in file.apps {
                switch known[appID] {
                case nil:
                    known[appID] = rules
                    apps.append((appID, rules))
                case rules: break
                default: throw .conflictingOptions(app: appID)
                }
            }
        }
        self.apps = apps
        appClips = projects.flatMap(\.options.appClips).map(\.appID).withoutDuplicates
    }

    /// The file's bytes and entity tag.
    ///
    /// A host without apps gets the empty form, which is legal. Throws `tooLarge` above `maximumSize`.
    public func render() throws(AssociationError) -> AssociationFile {
        let credentials = apps.filter { $0.rules.form != .firebaseCompat }.map(\.appID)
        var members: [(name: String, value: JSONValue)] = [("applinks", applinks)]
        if !credentials.isEmpty { members.append(("webcredentials", .object([("apps", .strings(credentials))]))) }
        if !appClips.isEmpty { members.append(("appclips", .object([("apps", .strings(appClips))]))) }
        let file = AssociationFile(.object(members))
        guard file.bytes.count <= Self.maximumSize else { throw .tooLarge(size: file.bytes.count, limit: Self.maximumSize) }
        return file
    }

    private var applinks: JSONValue {
        let withComponents = apps.filter { $0.rules.form != .firebaseCompat }
        let groups = Dictionary(grouping: withComponents, by: \.rules).mapValues { $0.map(\.appID) }
        let modern = withComponents.map(\.rules).withoutDuplicates.map { rules in
            JSONValue.object([
                ("appIDs", .strings(groups[rules, default: []])),
                ("components", .array(Self.components(rules))),
            ])
        }
        let legacy = apps.compactMap { app in
            Self.legacyPaths(app.rules.form).map { JSONValue.object([("appID", .string(app.appID)), ("paths", .strings($0))]) }
        }
        // iOS 12 and earlier read nothing without an empty `apps`; it is also what an empty file of Firebase's looks like.
        let needsApps = !legacy.isEmpty || modern.isEmpty
        return .object((needsApps ? [("apps", .array([]))] : []) + [("details", .array(modern + legacy))])
    }

    /// The first match wins, so that no extra component opens an action page in the app.
    private static func components(_ rules: Rules) -> [JSONValue] {
        let own: [JSONValue] = [
            .object([("/", .string("/__/auth/action")), ("exclude", .bool(true))]),
            .object([("/", .string("/__/auth/handler")), ("exclude", .bool(true))]),
            .object([("/", .string("/__/auth/links")), ("?", .object([("link", .string("?*"))]))]),
        ]
        // New systems go on to the app's entry with paths unless something matches here.
        let end = JSONValue.object([("/", .string("*")), ("exclude", .bool(true))])
        return own + rules.extraComponents.map(\.json) + (rules.form == .componentsAndPaths ? [end] : [])
    }

    private static func legacyPaths(_ form: AppLinkForm) -> [String]? {
        switch form {
        case .components: nil
        case .componentsAndPaths: ["NOT /__/auth/action", "NOT /__/auth/handler", "/__/auth/links"]
        case .firebaseCompat: ["NOT /__/auth/action/", "NOT /__/auth/handler/", "NOT /_/*", "/*"]
        }
    }
}
