import Accounts
import ActionCodes
import Associations
import Crypto
import Mail
import Platform
import Synchronization
import TestSupport

@testable import HTTP
@testable import Routes

/// A whole service without a socket: real routes and use cases over a store in memory, a clock that stands still and seeded randomness.
///
/// `setup` is `serve` or `dev`, then any of `publicOnly`, `administrative` (two sockets) and `single` (one project configured, not all), and
/// `changeable` (administrators may change the settings of `example`).
final class FixtureWorld {
    let clock = ManualClock()
    let store = FailingStore()
    let log = LogLines()
    private let metrics = Metrics()
    var variables: [String: String] = [:]
    /// Where requests come from.
    private(set) var peer = "127.0.0.1"
    private(set) var router: Router?

    private let setup: [String]
    private let resources: FixtureResources
    private let randomness: Randomness
    private let passwords = PasswordHashing(atOnce: 1, cost: .minimal, randomness: .seeded(7))
    private let devOverrides = ProjectOverridesDirectory()
    private var projects: [Project]
    private var keys = KeyRing.example
    private var limiter: RateLimiter
    private var proxies: [AddressRange] = []

    init(setup: String, seed: UInt64 = 1) throws {
        let words = setup.split(separator: " ").map(String.init)
        self.setup = words
        self.resources = try FixtureResources.shared.get()
        self.randomness = .seeded(seed)
        let isDev = words.contains("dev")
        projects = isDev || words.contains("single") ? [try .example] : [try .example, try .linkless, try .invited]
        if isDev { projects[0].publicURL = Self.devURL }
        limiter = RateLimiter(keys: keys, metrics: metrics, clock: clock.wallClock)
        metrics.counter("postern_test_total", help: "A number.").add(3)
        try rebuild()
    }

    deinit { passwords.shutDown() }

    private static let devURL = "http://127.0.0.1:9099"
    private var isDev: Bool { setup.contains("dev") }
    private var publicURL: String { isDev ? Self.devURL : "https://auth.example.com" }

    private lazy var serveOverrides = ProjectOverridesDirectory(
        store: store, projects: setup.contains("changeable") ? ["example"] : [], saved: [:])
    private var overrides: ProjectOverridesDirectory { isDev ? devOverrides : serveOverrides }

    private var directory: ProjectDirectory {
        guard isDev else {
            return ProjectDirectory(projects: projects, adminTokens: [Secret("admin-token"), Secret("other-token")], overrides: overrides)
        }
        return ProjectDirectory(
            projects: projects, adminTokens: [Secret("owner")],
            unknown: .made({ id in try? .unconfigured(id, publicURL: Self.devURL) }, defaultProject: "demo-project"), overrides: overrides)
    }

    /// Makes the routes anew after a change of configuration; store and clock stay.
    private func rebuild() throws {
        let issuer = IDTokenIssuer(keys: resources.tokenKeys, clock: clock.wallClock)
        let verifier = IDTokenVerifier(keys: resources.tokenKeys)
        let apps = try Self.apps()
        let hosts = try HostDirectory(
            publicURL: publicURL,
            tenancies: projects.map { project in
                HostDirectory.Tenancy(project: project, associations: ProjectAssociations(apps: apps[project.id] ?? AssociatedApps()))
            }, answersLoopback: isDev)
        let store = store
        let pages = resources.pages
        let templates = resources.templates
        let log = Logger(level: .debug, format: .text, clock: clock.wallClock) { [lines = log] line in
            lines.add(line)
        }
        let wayBack = WayBackMail(keys: keys, clock: clock.wallClock, randomness: randomness, wakeOutbox: {})
        let site = Site(
            Site.Parts(
                directory: directory, overrides: overrides, hosts: hosts, publicURL: publicURL,
                accounts: AccountServices(
                    store: store, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock.wallClock, randomness: randomness),
                keyRing: keys, tokenKeys: resources.tokenKeys, store: store,
                sendOobCode: SendOobCode(
                    store: store, keys: keys, verifier: verifier, clock: clock.wallClock, randomness: randomness,
                    templates: { templates }, wakeOutbox: {}, limiter: limiter),
                signIn: SignInWithEmailLink(
                    store: store, keys: keys, issuer: issuer, verifier: verifier, clock: clock.wallClock, randomness: randomness),
                applyActionCode: ApplyActionCode(
                    store: store, keys: keys, passwords: passwords, clock: clock.wallClock, wayBack: wayBack),
                addressChangeNotice: wayBack,
                pages: { pages },
                appearances: [
                    "example": PageAppearance(
                        accentColor: AccentColor("#0a66c2"), logo: try? PageLogo(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)))
                ],
                readiness: [
                    ReadinessCheck(name: "database", isEssential: true) {
                        do throws(StoreError) {
                            try await store.read { _ throws(StoreError) in }
                            return nil
                        } catch {
                            return "unavailable"
                        }
                    },
                    ReadinessCheck(name: "outbox", isEssential: false) { "connection refused" },
                ], metrics: metrics, clock: clock.wallClock,
                limiter: limiter, proxies: TrustedProxies(proxies),
                development: isDev
                    ? DevelopmentRoutes.Parts(
                        inbox: Inbox(), files: resources.files, events: DevelopmentEvents(clock: clock.wallClock))
                    : nil))
        let exposure: Exposure =
            setup.contains("publicOnly") ? .publicOnly : setup.contains("administrative") ? .administrative : .everything
        router = Router(site: site, exposure: exposure, log: log)
    }

    private static func apps() throws -> [String: AssociatedApps] {
        let print = Array(repeating: "AB", count: 32).joined(separator: ":")
        return [
            "example": AssociatedApps(
                apple: [try AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345", appStoreID: "123456789")],
                android: [try AndroidApp(packageName: "com.example.app", sha256CertFingerprints: [print])]),
            "invited": AssociatedApps(apple: [try AppleApp(bundleID: "org.invited.app", teamID: "FGHIJ67890")]),
        ]
    }

    /// The answer, as the server would ask for it.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let router else { preconditionFailure("init has made one") }
        if request.body.isEmpty, let response = router.immediateResponse(to: request) { return response }
        return await router.respond(to: request)
    }

    /// The host that a request names when its fixture does not.
    var defaultHost: String { isDev ? "127.0.0.1:9099" : "auth.example.com" }

    /// Codes and accounts, to see whether a request changed any; nil while the store fails.
    func look() async throws -> [String]? {
        guard !store.isFailing else { return nil }
        let now = clock.now
        let ids = projects.map(\.id) + ["demo-project", "other"]
        let waiting = try await store.outboxCounts().waiting
        return try await store.read { reader throws(StoreError) in
            var lines = ["\(waiting) mails"]
            for id in ids {
                lines += try reader.liveActionCodes(project: id, now: now).map { "\($0)" }
                lines += try reader.users(after: nil, limit: 1000, project: id).map { "\($0)" }
                lines += try reader.suppressions(project: id, after: nil, limit: 1000, now: now).map { "\($0)" }
            }
            return lines
        }
    }

    /// What a `> …` line asks for.
    func perform(_ action: String) async throws {
        let words = action.split(separator: " ").map(String.init)
        switch words.first {
        case "wait": clock.advance(by: try Self.duration(words[1]))
        case "mail": try await mail(to: words[1])
        case "no": try await noMail(reason: words.dropFirst(2).joined(separator: " "))
        case "user": try await addUser(words[1], Set(words.dropFirst(2)))
        case "code": try await code(words[1], for: words[2])
        case "token": try await token(of: words[1], name: words.count > 2 ? words[2] : "token")
        case "change": try await change(words[1], to: words[2])
        case "secrets":
            keys = words[1] == "rotated" ? .rotated : words[1] == "foreign" ? .foreign : .example
            try rebuild()
        case "authorized":
            projects[0].authorizedDomains = .listed(Set(words.dropFirst()))
            try rebuild()
        case "includeCode":
            projects[0].includeCode = true
            try rebuild()
        case "suppress": try await suppress(words[1], words[2])
        case "limits": try limit(words.dropFirst())
        case "peer": peer = words[1]
        case "proxies":
            proxies = words.dropFirst().compactMap { IPAddress($0).map { AddressRange(around: $0, prefixLength: $0.width) } }
            try rebuild()
        case "restart":
            // As a clean stop and a start do.
            let shutdown = Shutdown()
            shutdown.trigger()
            await RateLimitService(limiter: limiter, store: store, logger: .silent).run(until: shutdown)
            limiter = RateLimiter(keys: keys, metrics: Metrics(), clock: clock.wallClock)
            try await RateLimitService(limiter: limiter, store: store, logger: .silent).load()
            try rebuild()
        case "store": store.setFails(words[1] == "fails")
        case "let":
            guard let equals = action.firstRange(of: " = ") else { throw Problem("let needs ' = '") }
            variables[words[1]] = String(action[equals.upperBound...])
        case "replace":
            guard let colon = action.firstRange(of: ": "), let arrow = action.firstRange(of: " -> ") else {
                throw Problem("replace needs 'name: from -> to'")
            }
            let name = String(words[1].dropLast())
            let from = String(action[colon.upperBound..<arrow.lowerBound])
            guard let value = variables[name], value.contains(from) else { throw Problem("\(name) does not hold \(from)") }
            variables[name] = value.replacing(from, with: String(action[arrow.upperBound...]), maxReplacements: 1)
        default: throw Problem("unknown action \(action)")
        }
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private static func duration(_ text: String) throws -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()) else { throw Problem("no duration: \(text)") }
        return .seconds(number * unit)
    }

    /// `perAddress=5/15m perClient=…`: the limits of every configured project; those that are not named are none.
    private func limit(_ settings: ArraySlice<String>) throws {
        var limits = ProjectLimits()
        let names: [String: WritableKeyPath<ProjectLimits, RateLimit?>] = [
            "perAddress": \.perAddress, "perClient": \.perClient, "perProject": \.perProject, "passwordAttempts": \.passwordAttempts,
        ]
        for setting in settings {
            let parts = setting.split(whereSeparator: { $0 == "=" || $0 == "/" }).map(String.init)
            guard parts.count == 3, let path = names[parts[0]], let count = Int(parts[1]) else { throw Problem("no limit: \(setting)") }
            limits[keyPath: path] = RateLimit(count: count, period: try Self.duration(parts[2]))
        }
        for index in projects.indices { projects[index].limits = limits }
        try rebuild()
    }

    private func compose() async throws -> [Composition] {
        let entries = try await store.claimOutbox(now: clock.now, limit: 100, owner: "test", leaseEnd: clock.now + .seconds(86_400 * 365))
        let directory = directory
        let templates = resources.templates
        let composer = ActionCodeComposer(
            store: store, keys: keys, clock: clock.wallClock, templates: { templates }, project: directory.project(id:))
        return try await composer.compose(entries)
    }

    /// Composes what waits; the last mail must go to `address`, and its link is kept: `link`, `query`, `oobCode`, and for app links `web`.
    private func mail(to address: String) async throws {
        guard case .message(let message) = try await compose().last else { throw Problem("no mail was composed") }
        guard message.envelope.recipient.text == address else { throw Problem("the mail goes to \(message.envelope.recipient.text)") }
        let caught = CaughtMail(
            id: "1", project: message.projectID, envelope: message.envelope, receivedAt: clock.now, bytes: message.bytes)
        guard let link = caught.link else { throw Problem("the mail holds no link") }
        keep(link: link)
        let lines = caught.text?.split(whereSeparator: \.isNewline) ?? []
        variables["notMe"] = lines.compactMap { line in line.firstRange(of: "/not-me?t=").map { String(line[$0.upperBound...]) } }.first
        variables["digits"] = lines.first { $0.utf8.count == 6 && Int($0) != nil }.map(String.init)
    }

    private func suppress(_ address: String, _ name: String) async throws {
        let causes: [String: Suppression.Cause] = ["refused": .refused, "reported": .reported, "muted": .muted]
        guard let cause = causes[name] else { throw Problem("no cause: \(name)") }
        let suppression = Suppression(
            projectID: "example", email: try EmailAddress(address), cause: cause, detail: cause == .muted ? "" : "550 5.1.1 no",
            since: clock.now, until: cause == .muted ? clock.now + Suppression.muteTime : nil)
        try await store.write { transaction throws(StoreError) in try transaction.suppress(suppression) }
    }

    private func keep(link: String) {
        variables["link"] = link
        variables["query"] = String(link.drop { $0 != "?" }.dropFirst())
        var web = link
        if link.contains("/__/auth/links?link="), let inner = HTTPRequest(target: link).queryItems().first?.value {
            web = inner
        }
        variables["web"] = web
        variables["webQuery"] = String(web.drop { $0 != "?" }.dropFirst())
        // As a form sends it.
        variables["formQuery"] = variables["webQuery"].map(PercentEncoding.encode)
        variables["oobCode"] = web.firstRange(of: "oobCode=").map { String(web[$0.upperBound...]) }
    }

    /// Stores a code of any mode as nobody can ask for, and keeps its link.
    private func code(_ mode: String, for address: String) async throws {
        guard let operation = ActionCodes.Operation(mode: mode) else { throw Problem("unknown mode \(mode)") }
        let user = try await find(address)
        let code = ActionCode(
            id: ActionCodeID(randomness: randomness), projectID: user.projectID, operation: operation, email: try EmailAddress(address),
            userID: user.id, settings: ActionCodeSettings(), language: "en", apiKey: "example-web-key", createdAt: clock.now,
            expiresAt: clock.now + .seconds(3600))
        try await store.write { transaction throws(StoreError) in try transaction.insert(code, keepingAtMost: 5) }
        keep(link: ActionLink.text(for: code, project: projects[0], keys: keys))
    }

    private func noMail(reason: String) async throws {
        for composition in try await compose() {
            guard case .drop(let why) = composition, reason.isEmpty || why == reason else { throw Problem("composed \(composition)") }
        }
    }

    private func addUser(_ address: String, _ flags: Set<String>) async throws {
        let id = flags.first { $0.hasPrefix("id=") }.map { String($0.dropFirst(3)) } ?? "uid-" + address.prefix { $0 != "@" }
        let project = flags.first { $0.hasPrefix("project=") }.map { String($0.dropFirst(8)) } ?? "example"
        var user = User(id: id, projectID: project, createdAt: clock.now)
        if address.contains("@") { user.email = try EmailAddress(address) }
        user.emailVerified = flags.contains("verified")
        user.disabled = flags.contains("disabled")
        if flags.contains("password") { user.passwordHash = "scrypt-of-nothing" }
        if flags.contains("named") { user.displayName = "Anna Example" }
        let added = user
        try await store.write { transaction throws(StoreError) in try transaction.insert(added) }
    }

    private func find(_ address: String) async throws -> User {
        let projects = self.projects.map(\.id) + ["demo-project"]
        let user = try await store.read { reader throws(StoreError) -> User? in
            for project in projects {
                let all = try reader.users(after: nil, limit: 1000, project: project)
                if let user = all.first(where: { $0.email?.text == address || $0.id == address }) { return user }
            }
            return nil
        }
        guard let user else { throw Problem("nobody has \(address)") }
        return user
    }

    private func token(of address: String, name: String) async throws {
        let user = try await find(address)
        let provider = user.isAnonymous ? SignInProvider.anonymous : SignInProvider.password
        let (session, refreshToken) = NewSession.make(for: user, provider: provider, now: clock.now, randomness: randomness)
        try await store.write { transaction throws(StoreError) in try transaction.insert(session) }
        let issuer = IDTokenIssuer(keys: resources.tokenKeys, clock: clock.wallClock)
        variables[name] = try issuer.issue(for: user, session: session, policy: AccountPolicy(projectID: user.projectID))
        variables[name + "Refresh"] = refreshToken
    }

    private func change(_ address: String, to state: String) async throws {
        var user = try await find(address)
        switch state {
        case "disabled": user.disabled = true
        case "enabled": user.disabled = false
        case "newer": user.validSince = UnixTime(seconds: clock.now.seconds + 1)
        case "deleted": break
        default: throw Problem("unknown state \(state)")
        }
        let changed = user
        try await store.write { transaction throws(StoreError) in
            if state == "deleted" {
                _ = try transaction.deleteUser(id: changed.id, project: changed.projectID)
            } else {
                try transaction.update(changed)
            }
        }
    }

    /// Puts what was kept in place of `{{name}}`.
    func filled(_ text: String) throws -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
            let name = String(rest[start.upperBound..<end.lowerBound])
            guard let value = variables[name] else { throw Problem("nothing was kept as \(name)") }
            result += rest[..<start.lowerBound] + value
            rest = rest[end.upperBound...]
        }
        return result + rest
    }
}

/// What a logger wrote.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}

extension HTTPResponse {
    /// The body as a client would read it.
    var bodyText: String {
        switch body {
        case .none: ""
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .static(let shared):
            unsafe String(decoding: UnsafeRawBufferPointer(start: shared.bytes.address, count: shared.count), as: UTF8.self)
        }
    }
}

extension Project {
    /// Offers neither links nor passwords.
    static var linkless: Project {
        get throws {
            var project = Project(
                id: "linkless", displayName: "Linkless", apiKeys: ["linkless-web-key"], authorizedDomains: .listed(["example.net"]),
                linkDomains: ["links.example.net"], linkDomainPolicy: .listed(["links.example.net"]),
                publicURL: "https://auth.example.com", accounts: AccountPolicy(projectID: "linkless"),
                mailFrom: Mailbox(name: nil, address: try EmailAddress("noreply@example.net")))
            project.emailLinkSignIn = false
            project.accounts.passwordSignIn = false
            return project
        }
    }

    /// Lets no stranger in; has no link domain and a public host of its own.
    static var invited: Project {
        get throws {
            var project = Project(
                id: "invited", displayName: "Invited <Only>", apiKeys: ["invited-web-key"], authorizedDomains: .listed(["invited.org"]),
                linkDomains: [], linkDomainPolicy: .listed([]), publicURL: "https://auth.invited.org",
                accounts: AccountPolicy(projectID: "invited"),
                mailFrom: Mailbox(name: nil, address: try EmailAddress("noreply@invited.org")))
            project.accounts.allowSignUp = false
            return project
        }
    }

    /// As `dev` makes them.
    static func unconfigured(_ id: String, publicURL: String) throws -> Project? {
        guard !id.isEmpty, id.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }) else {
            return nil
        }
        return Project(
            id: id, displayName: id, apiKeys: [ProjectDirectory.developmentKey(of: id)], authorizedDomains: .any, linkDomains: [],
            linkDomainPolicy: .any, publicURL: publicURL, accounts: AccountPolicy(projectID: id),
            mailFrom: Mailbox(name: nil, address: try EmailAddress("noreply@localhost")))
    }
}
