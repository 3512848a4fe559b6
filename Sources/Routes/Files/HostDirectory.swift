public import ActionCodes
public import Associations
internal import HTTP

/// The host names that this service answers for, and what each one serves.
///
/// A Host header is only ever compared with these; no link, redirect or page is made out of it.
public struct HostDirectory: Sendable {
    /// What one project has on a host.
    public struct Tenancy: Sendable {
        /// The project.
        public var project: Project
        /// Its apps, for the association files.
        public var associations: ProjectAssociations

        /// Makes a tenancy.
        public init(project: Project, associations: ProjectAssociations) {
            self.project = project
            self.associations = associations
        }
    }

    /// What stands behind one host name.
    struct Host: Sendable {
        let apple: CachedFile
        let android: CachedFile
        let projectIDs: Set<String>
        let isPublicHost: Bool
    }

    private let hosts: [String: Host]
    private let apps: [String: AssociatedApps]
    private let answersLoopback: Bool

    /// Whether browsers reach the public host by https.
    let isSecure: Bool

    /// Renders the association files of every host, once.
    ///
    /// - Parameters:
    ///   - publicURL: where browsers reach the service.
    ///   - tenancies: the projects and their apps.
    ///   - answersLoopback: whether every loopback name stands for the public host: `dev`.
    /// - Throws: what is wrong with the apps of a host, such as a file above Apple's limit of 128 KiB.
    public init(publicURL: String, tenancies: [Tenancy], answersLoopback: Bool) throws(AssociationError) {
        let publicHost = Self.host(ofURL: publicURL)
        var byHost: [String: [Tenancy]] = [publicHost: []]
        for tenancy in tenancies {
            let own = Self.host(ofURL: tenancy.project.publicURL)
            if byHost[own] == nil { byHost[own] = [] }
            // The public host stands in for the link domain of projects that have none.
            if tenancy.project.linkDomains.isEmpty { byHost[own, default: []].append(tenancy) }
            for domain in tenancy.project.linkDomains { byHost[domain, default: []].append(tenancy) }
        }
        let publicHosts = Set(tenancies.map { Self.host(ofURL: $0.project.publicURL) } + [publicHost])
        var hosts: [String: Host] = [:]
        for (name, tenancies) in byHost {
            let associations = tenancies.map(\.associations)
            hosts[name] = Host(
                apple: CachedFile(try AppSiteAssociation(projects: associations).render()),
                android: CachedFile(try AssetLinks(projects: associations).render()),
                projectIDs: Set(tenancies.map(\.project.id)), isPublicHost: publicHosts.contains(name))
        }
        self.hosts = hosts
        self.apps = Dictionary(tenancies.map { ($0.project.id, $0.associations.apps) }, uniquingKeysWith: { first, _ in first })
        self.answersLoopback = answersLoopback
        self.isSecure = publicURL.hasPrefix("https://")
        self.publicHost = publicHost
    }

    private let publicHost: String

    /// The host names, in order.
    public var names: [String] { hosts.keys.sorted() }

    /// The association files of a host, by the paths at which they are served.
    public func files(of name: String) -> [(path: String, bytes: [UInt8])] {
        guard let host = hosts[name] else { return [] }
        return AppSiteAssociation.paths.map { ($0, host.apple.bytes) } + [(AssetLinks.path, host.android.bytes)]
    }

    /// The configured apps of a project.
    func apps(of project: Project) -> AssociatedApps { apps[project.id] ?? AssociatedApps() }

    /// The first link domain of a project that is not the host which the request names: Safari opens no app from a page of the same host. What
    /// comes out is a configured name, whatever the header holds.
    func otherLinkDomain(than header: String?, project: Project) -> String? {
        let name = Self.name(header)
        return project.linkDomains.first { $0 != name }
    }

    /// What stands behind a Host header; nil when the name is not ours.
    func host(_ header: String?) -> Host? {
        guard let name = Self.name(header) else { return nil }
        if let host = hosts[name] { return host }
        return answersLoopback && Self.isLoopback(name) ? hosts[publicHost] : nil
    }

    /// Whether links of a project may be opened at the host that the request names: its public host, or one of its link domains.
    func serves(_ header: String?, project: Project) -> Bool {
        guard let name = Self.name(header) else { return false }
        if name == Self.host(ofURL: project.publicURL) || project.linkDomains.contains(name) { return true }
        return answersLoopback && Self.isLoopback(name)
    }

    /// The name in a Host header, lower case, without its port.
    private static func name(_ header: String?) -> String? {
        guard let header, !header.isEmpty else { return nil }
        if header.hasPrefix("[") {
            let address = header.dropFirst().prefix { $0 != "]" }
            let rest = header.dropFirst(address.count + 2)
            return rest.isEmpty || rest.hasPrefix(":") ? address.lowercased() : nil
        }
        return header.prefix { $0 != ":" }.lowercased()
    }

    private static func host(ofURL url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url.lowercased() }
        return name(String(url[start...].prefix { $0 != "/" })) ?? ""
    }

    private static func isLoopback(_ name: String) -> Bool {
        ContinueURL.isLoopback(name) || name == "::1"
    }
}
