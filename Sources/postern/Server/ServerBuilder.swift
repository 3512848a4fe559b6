internal import Accounts
internal import ActionCodes
internal import Associations
internal import Crypto
internal import FoundationEssentials
internal import HTTP
internal import Mail
internal import Platform
internal import Routes
internal import SMTP
internal import SQLiteStorage
internal import Templating

/// Makes every live part of a server, in the order in which they need each other. Nothing else makes any.
struct ServerBuilder {
    /// What `dev` adds.
    struct Development {
        /// The project of calls that name none.
        var defaultProject: String
        /// The mail server that mails really go to, instead of the inbox.
        var mailServer: SMTPServer?
    }

    let configuration: Configuration
    var development: Development?

    /// Opens files and ports. When it throws, nothing was served and no mail sent.
    func build() async throws(CommandFailure) -> Server {
        let log = Logger(level: configuration.log.level, format: configuration.log.format == .json ? .json : .text)
        for setting in configuration.withoutEffect where development == nil {
            log.warning("a setting has no effect in this version", [("setting", setting)])
        }
        for advice in configuration.dkimAdvice { log.warning("a setting needs attention", [("setting", advice)]) }
        let signers = try configuration.makeMailSigners()
        FileDescriptors.raiseLimit()
        let metrics = Metrics()
        let clock = WallClock.system
        let templates = try templates()
        let pages = try pages()
        let events = DevelopmentEvents(clock: clock)

        let publicResponder = DeferredResponder()
        let publicServer = HTTPServer(
            configuration: listening(at: configuration.listen), responder: publicResponder, logger: log.with("socket", "public"))
        let bound = try CommandFailure.catching(.unavailable) { () throws(HTTPServerError) in try publicServer.bind() }
        let address = ListenAddress(host: bound.host, port: bound.port).description
        let publicURL = development == nil ? configuration.publicURL : "http://" + address

        let projects = projects(publicURL: publicURL)
        let store = try CommandFailure.catching(.unavailable) { () throws(SQLiteOpenError) in
            try SQLiteStore.open(path: configuration.databasePath, role: .serving, clock: clock, logger: log.with("service", "store"))
        }
        let overrides = try await overrides(store, log: log)
        let directory = directory(projects, publicURL: publicURL, overrides: overrides)
        let hosts = try CommandFailure.catching(.configuration) { () throws(AssociationError) in
            try Self.hosts(configuration, projects: projects, publicURL: publicURL, answersLoopback: development != nil)
        }

        let tokenKeys = try CommandFailure.catching(.unavailable) { () throws(TokenKeyError) in
            try TokenKeys(folder: configuration.tokenKeysPath, publication: TokenKeyPublication.cacheTime, clock: clock)
        }
        let keyRing = KeyRing(secrets: configuration.secrets)
        let limiter = RateLimiter(keys: keyRing, metrics: metrics, clock: clock)
        let limits = RateLimitService(limiter: limiter, store: store, logger: log.with("service", "limits"))
        do throws(StoreError) { try await limits.load() } catch {
            throw CommandFailure(.unavailable, "the limits cannot be read: \(error)")
        }
        let inbox = Inbox { events.announce(.inbox) }
        let mailServers = try mailServers(metrics: metrics, log: log.with("service", "smtp"), clock: clock)
        let outbox = OutboxService(
            store: store,
            composer: ActionCodeComposer(
                store: store, keys: keyRing, clock: clock, templates: { templates.current }, project: directory.project(id:),
                signer: { signers[$0] }),
            transport: mailServers ?? InboxTransport(inbox: inbox, clock: clock), owner: Base64URL.encode(Randomness.system.bytes(9)),
            metrics: metrics,
            logger: log.with("service", "outbox"), clock: clock)

        let issuer = IDTokenIssuer(keys: tokenKeys, clock: clock)
        let verifier = IDTokenVerifier(keys: tokenKeys)
        let advice = ServeAdvice()
        let sendOobCode = SendOobCode(
            store: store, keys: keyRing, verifier: verifier, clock: clock, randomness: .system, templates: { templates.current },
            wakeOutbox: { outbox.wake() },
            unlistedHost: { project, key, host in advice.note(project: project.id, key: key, host: host) },
            limiter: limiter)
        let passwords = PasswordHashing()
        let wayBack = WayBackMail(keys: keyRing, clock: clock, randomness: .system, wakeOutbox: { outbox.wake() })
        let site = Site(
            Site.Parts(
                directory: directory, overrides: overrides, hosts: hosts, publicURL: publicURL,
                accounts: AccountServices(
                    store: store, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock, randomness: .system),
                keyRing: keyRing, tokenKeys: tokenKeys, store: store, sendOobCode: sendOobCode,
                signIn: SignInWithEmailLink(
                    store: store, keys: keyRing, issuer: issuer, verifier: verifier, clock: clock, randomness: .system),
                applyActionCode: ApplyActionCode(store: store, keys: keyRing, passwords: passwords, clock: clock, wayBack: wayBack),
                addressChangeNotice: wayBack,
                pages: { pages.current },
                appearances: Dictionary(configuration.projects.map { ($0.id, $0.pages) }, uniquingKeysWith: { first, _ in first }),
                readiness: readiness(store: store, outbox: outbox, mailServers: mailServers), metrics: metrics, clock: clock,
                limiter: limiter, proxies: TrustedProxies(configuration.trustedProxies),
                development: try developmentParts(inbox: inbox, events: events)))

        var services: [any Service] = [store, TokenKeyWatcher(keys: tokenKeys, logger: log.with("service", "token keys")), limits, outbox]
        publicResponder.set(Router(site: site, exposure: configuration.adminListen == nil ? .everything : .publicOnly, log: log))
        if let admin = configuration.adminListen {
            let server = HTTPServer(
                configuration: listening(at: admin), responder: Router(site: site, exposure: .administrative, log: log),
                logger: log.with("socket", "admin"))
            _ = try CommandFailure.catching(.unavailable) { () throws(HTTPServerError) in try server.bind() }
            services.append(server)
        }
        services.append(publicServer)
        if development != nil {
            services.append(try watcher(templates, pages, events))
            // Last, so that it ends first: pages that wait for news would hold up the end of the HTTP server.
            services.append(events)
        }
        observe(publicServer, in: metrics)
        return Server(services: services, address: address)
    }

    /// The projects with the limits that they have here: in `dev` only those that are configured.
    private func projects(publicURL: String) -> [Project] {
        configuration.projects.map { configured in
            var project = configured.makeProject(publicURL: publicURL)
            if development == nil { project.limits = project.limits.orStandard }
            return project
        }
    }

    /// What administrators have changed: in `dev` of this process, in `serve` what the database holds of the projects that may be changed.
    private func overrides(_ store: SQLiteStore, log: Logger) async throws(CommandFailure) -> ProjectOverridesDirectory {
        guard development == nil else { return ProjectOverridesDirectory() }
        do throws(StoreError) {
            let overrides = try await ProjectOverridesDirectory(store: store, projects: configuration.changeableProjects)
            for project in overrides.changedProjects {
                log.info("settings in the database go before the configuration file", [("project", project)])
            }
            return overrides
        } catch {
            throw CommandFailure(.unavailable, "the changed settings cannot be read: \(error)")
        }
    }

    /// The host names and association files of a configuration; also what `check` and `hosting export` look at.
    static func hosts(
        _ configuration: Configuration, projects: [Project], publicURL: String, answersLoopback: Bool
    ) throws(AssociationError) -> HostDirectory {
        let apps = Dictionary(configuration.projects.map { ($0.id, $0.apps) }, uniquingKeysWith: { first, _ in first })
        return try HostDirectory(
            publicURL: publicURL,
            tenancies: projects.map { project in
                HostDirectory.Tenancy(
                    project: project, associations: apps[project.id] ?? .none)
            }, answersLoopback: answersLoopback)
    }

    /// The mail templates, all mistakes at once.
    func templates() throws(CommandFailure) -> LiveLibrary<TemplateLibrary> {
        let folder = templatesFolder
        let projects = projectTemplatesFolders
        return try CommandFailure.catching(.configuration) { () throws(TemplateLibraryError) in
            try LiveLibrary { () throws(TemplateLibraryError) in
                try TemplateLibrary(folder: folder, projects: projects, modes: ActionCodes.Operation.offered.map(\.mode))
            }
        }
    }

    /// The landing pages, all mistakes at once.
    func pages() throws(CommandFailure) -> LiveLibrary<PageLibrary> {
        let folder = hostingFolder
        return try CommandFailure.catching(.configuration) { () throws(TemplateLibraryError) in
            try LiveLibrary { () throws(TemplateLibraryError) in try LandingPages.library(folder: folder) }
        }
    }

    private var templatesFolder: String { ResourceFolder.path("Templates", configured: configuration.templatesPath) }
    private var projectTemplatesFolders: [String: String] {
        Dictionary(
            configuration.projects.compactMap { project in project.templatesPath.map { (project.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
    private var hostingFolder: String { ResourceFolder.path("Hosting", configured: configuration.hostingPath) }

    /// Takes what is saved in these folders while `dev` runs, and tells open pages.
    private func watcher(
        _ templates: LiveLibrary<TemplateLibrary>, _ pages: LiveLibrary<PageLibrary>, _ events: DevelopmentEvents
    ) throws(CommandFailure) -> FolderWatcher {
        try CommandFailure.catching(.unavailable) { () throws(FolderWatcher.Failure) in
            try FolderWatcher(folders: [templatesFolder, hostingFolder] + projectTemplatesFolders.values.sorted()) {
                templates.reload()
                pages.reload()
                for mistakes in [templates.mistakes, pages.mistakes].compactMap({ $0 }) { Console.error("\(mistakes)") }
                events.announce(.resources)
            }
        }
    }

    private func listening(at address: ListenAddress) -> HTTPServerConfiguration {
        HTTPServerConfiguration(host: address.host, port: address.port, loops: max(1, ProcessInfo.processInfo.activeProcessorCount))
    }

    private func directory(_ projects: [Project], publicURL: String, overrides: ProjectOverridesDirectory) -> ProjectDirectory {
        guard let development else {
            return ProjectDirectory(projects: projects, adminTokens: configuration.adminTokens, overrides: overrides)
        }
        return ProjectDirectory(
            projects: projects, adminTokens: configuration.adminTokens + [Secret("owner")],
            unknown: .made(
                { id in DevelopmentProject.make(id: id, publicURL: publicURL) }, defaultProject: development.defaultProject),
            overrides: overrides)
    }

    /// What mails really go out by; nil when the inbox catches them.
    private func mailServers(metrics: Metrics, log: Logger, clock: WallClock) throws(CommandFailure) -> SMTPTransport? {
        if let development {
            return development.mailServer.map { SMTPTransport(servers: [$0], metrics: metrics, logger: log, clock: clock) }
        }
        return SMTPTransport(servers: try configuration.mailServers(), metrics: metrics, logger: log, clock: clock)
    }

    private func developmentParts(
        inbox: Inbox, events: DevelopmentEvents
    ) throws(CommandFailure) -> DevelopmentRoutes.Parts? {
        guard development != nil else { return nil }
        let folder = hostingFolder
        let files = try CommandFailure.catching(.configuration) { () throws(DevelopmentFiles.Problem) in
            try DevelopmentFiles(hosting: folder)
        }
        return DevelopmentRoutes.Parts(inbox: inbox, files: files, events: events)
    }

    private func readiness(store: SQLiteStore, outbox: OutboxService, mailServers: SMTPTransport?) -> [ReadinessCheck] {
        let servers = (mailServers?.statuses ?? []).enumerated().map { index, status in
            ReadinessCheck(name: "smtp \(status.server)", isEssential: false) {
                guard let status = mailServers?.statuses[index], !status.isGood else { return nil }
                return status.lastFailureReason ?? "fails"
            }
        }
        return [
            ReadinessCheck(name: "database", isEssential: true) {
                do throws(StoreError) {
                    try await store.check()
                    return nil
                } catch {
                    return "\(error)"
                }
            },
            // Mails wait while the mail server is away, so the service goes on.
            ReadinessCheck(name: "outbox", isEssential: false) {
                let status = outbox.status
                if status.isHealthy { return nil }
                if let failure = status.storeFailure { return failure }
                if status.isPaused { return status.lastFailureReason ?? "paused" }
                return status.rejectedSenders.map { "\($0.projectID) to \($0.recipientDomain ?? "anybody"): \($0.reply)" }
                    .sorted().joined(separator: "; ")
            },
        ] + servers
    }

    private func observe(_ server: HTTPServer, in metrics: Metrics) {
        metrics.gauge("postern_http_connections", help: "Open connections.") { Double(server.connectionCount) }
        metrics.gauge("postern_http_requests_in_flight", help: "Requests being answered.") { Double(server.inFlight) }
    }
}
