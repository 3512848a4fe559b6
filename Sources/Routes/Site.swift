public import Accounts
public import ActionCodes
internal import Associations
internal import HTTP
public import Platform
public import Templating

/// Everything that the router answers from, put together once; the composition root hands in the parts.
public final class Site: Sendable {
    let directory: ProjectDirectory
    let proxies: TrustedProxies
    let hosts: HostDirectory
    let api: APIRoutes
    let token: TokenRoute
    let publicConfiguration: PublicConfigurationRoute
    let projectConfiguration: ProjectConfigurationRoute
    let keys: KeysRoute
    let openAPI: OpenAPIDocument
    let landing: LandingRoute
    let completion: CompletionRoute
    let appearanceFiles: AppearanceFiles
    let notMe: NotMeRoute
    let suppressions: SuppressionsRoute
    let operations: OperationsRoute
    let development: DevelopmentRoutes?
    private let pages: @Sendable () -> PageLibrary

    /// What the routes are made of.
    public struct Parts: Sendable {
        /// The projects and who is privileged.
        public var directory: ProjectDirectory
        /// What administrators have changed of the projects.
        public var overrides: ProjectOverridesDirectory
        /// The host names and their files.
        public var hosts: HostDirectory
        /// Where browsers reach the service.
        public var publicURL: String
        /// What the use cases of accounts work with.
        public var accounts: AccountServices
        /// The keys of codes and links.
        public var keyRing: KeyRing
        /// The keys of ID tokens.
        public var tokenKeys: TokenKeys
        /// Codes, accounts and the outbox.
        public var store: any Store
        /// Issues codes.
        public var sendOobCode: SendOobCode
        /// Completes sign-in links.
        public var signIn: SignInWithEmailLink
        /// Completes every other code.
        public var applyActionCode: ApplyActionCode
        /// Tells replaced addresses.
        public var addressChangeNotice: any AddressChangeNotice
        /// The pages as they are now.
        public var pages: @Sendable () -> PageLibrary
        /// How the pages of projects look that have a logo or a colour of their own, by project id.
        public var appearances: [String: PageAppearance]
        /// What readiness is made of.
        public var readiness: [ReadinessCheck]
        /// The numbers of `/metrics`.
        public var metrics: Metrics
        /// The time.
        public var clock: WallClock
        /// Refuses what comes too often; the one that `sendOobCode` asks, too.
        public var limiter: RateLimiter
        /// Who may say where a request came from.
        public var proxies: TrustedProxies
        /// What only `dev` has.
        public var development: DevelopmentRoutes.Parts?

        /// Collects the parts.
        public init(
            directory: ProjectDirectory, overrides: ProjectOverridesDirectory, hosts: HostDirectory, publicURL: String,
            accounts: AccountServices, keyRing: KeyRing,
            tokenKeys: TokenKeys, store: any Store, sendOobCode: SendOobCode, signIn: SignInWithEmailLink,
            applyActionCode: ApplyActionCode, addressChangeNotice: any AddressChangeNotice, pages: @escaping @Sendable () -> PageLibrary,
            appearances: [String: PageAppearance] = [:],
            readiness: [ReadinessCheck], metrics: Metrics,
            clock: WallClock, limiter: RateLimiter, proxies: TrustedProxies,
            development: DevelopmentRoutes.Parts? = nil
        ) {
            self.directory = directory
            self.overrides = overrides
            self.hosts = hosts
            self.publicURL = publicURL
            self.accounts = accounts
            self.keyRing = keyRing
            self.tokenKeys = tokenKeys
            self.store = store
            self.sendOobCode = sendOobCode
            self.signIn = signIn
            self.applyActionCode = applyActionCode
            self.addressChangeNotice = addressChangeNotice
            self.pages = pages
            self.appearances = appearances
            self.readiness = readiness
            self.metrics = metrics
            self.clock = clock
            self.limiter = limiter
            self.proxies = proxies
            self.development = development
        }
    }

    /// Makes the routes.
    public init(_ parts: Parts) {
        directory = parts.directory
        proxies = parts.proxies
        let limits = CallLimits(limiter: parts.limiter)
        hosts = parts.hosts
        pages = parts.pages
        let checkActionCode = CheckActionCode(store: parts.store, keys: parts.keyRing, clock: parts.clock)
        api = APIRoutes(
            sendOobCode: SendOobCodeRoute(sendOobCode: parts.sendOobCode),
            signInWithEmailLink: SignInWithEmailLinkRoute(signIn: parts.signIn),
            resetPassword: ResetPasswordRoute(checkActionCode: checkActionCode, applyActionCode: parts.applyActionCode),
            signUp: SignUpRoute(accounts: parts.accounts, limits: limits), lookup: LookupRoute(accounts: parts.accounts),
            delete: DeleteRoute(accounts: parts.accounts),
            update: UpdateRoute(
                applyActionCode: parts.applyActionCode,
                account: UpdateAccountRoute(
                    accounts: parts.accounts, update: UpdateAccountAndCodes(store: parts.store, notice: parts.addressChangeNotice),
                    limits: limits)),
            signInWithPassword: SignInWithPasswordRoute(accounts: parts.accounts, limits: limits),
            createAuthURI: CreateAuthURIRoute(accounts: parts.accounts, limits: limits),
            batchGet: ListAccountsRoute(accounts: parts.accounts),
            batchDelete: DeleteAccountsRoute(accounts: parts.accounts), query: QueryAccountsRoute(accounts: parts.accounts))
        token = TokenRoute(directory: parts.directory, accounts: parts.accounts)
        publicConfiguration = PublicConfigurationRoute(directory: parts.directory)
        projectConfiguration = ProjectConfigurationRoute(directory: parts.directory, overrides: parts.overrides)
        keys = KeysRoute(directory: parts.directory, keys: parts.tokenKeys, publicURL: parts.publicURL)
        openAPI = OpenAPIDocument(isDevelopment: parts.development != nil)
        let links = LinkReader(
            directory: parts.directory, checkActionCode: checkActionCode, hosts: parts.hosts, keys: parts.keyRing, clock: parts.clock)
        let writer = LandingPageWriter(
            pages: parts.pages, hosts: parts.hosts, keys: parts.keyRing, appearances: parts.appearances)
        landing = LandingRoute(links: links, writer: writer)
        completion = CompletionRoute(
            links: links, writer: writer, keys: parts.keyRing, applyActionCode: parts.applyActionCode, sendOobCode: parts.sendOobCode)
        appearanceFiles = AppearanceFiles(parts.appearances)
        notMe = NotMeRoute(
            disownMail: DisownMail(store: parts.store, clock: parts.clock), directory: parts.directory, hosts: parts.hosts,
            writer: writer, keys: parts.keyRing, clock: parts.clock)
        suppressions = SuppressionsRoute(suppressions: Suppressions(store: parts.store, clock: parts.clock))
        operations = OperationsRoute(checks: parts.readiness, metrics: parts.metrics)
        development = parts.development.map { development in
            DevelopmentRoutes(
                development,
                emulator: EmulatorRoutes(
                    directory: parts.directory, store: parts.store, keys: parts.keyRing, clock: parts.clock,
                    overrides: parts.overrides))
        }
    }

    /// Whether a route exists on a socket of this exposure.
    func has(_ route: Route, exposure: Exposure) -> Bool {
        switch route {
        case .development: development != nil
        case .operations: exposure.showsOperations
        default: true
        }
    }

    /// Whether the Host that a request names may be answered at all: `dev` answers to its own names only, against DNS rebinding, and people's
    /// pages are answered on configured hosts only.
    func admits(_ request: HTTPRequest, route: Route) -> Bool {
        switch route {
        case .action, .appLink, .notMe, .styleSheet, .projectStyleSheet, .logo: hosts.host(request.headers["Host"]) != nil
        default: development == nil || hosts.host(request.headers["Host"]) != nil
        }
    }

    /// A page that belongs to no link.
    func page(_ page: LandingPage, _ request: HTTPRequest) -> HTTPResponse {
        let preferred = LanguageTag.parse(acceptLanguage: request.headers["Accept-Language"] ?? "")
        return PageResponse.page(
            pages().render(page, preferred: preferred, values: [:]), status: page.status, secure: hosts.isSecure)
    }

    /// The style sheet of the pages.
    func styleSheet() -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "text/css; charset=utf-8"), ("Cache-Control", "public, max-age=300"),
                ("X-Content-Type-Options", "nosniff"),
            ]), body: .bytes(pages().styleSheet))
    }
}
