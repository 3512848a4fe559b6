public import Accounts
public import Crypto
internal import Mail
public import Platform
public import Templating

/// Issues an action code and accepts its mail, or hands its link to a privileged caller.
public struct SendOobCode: Sendable {
    /// What the caller learns.
    public struct Answer: Sendable, Equatable {
        /// The address, normalised.
        public var email: String
        /// The code, when the caller asked for the link.
        public var oobCode: String?
        /// The link, when the caller asked for it.
        public var oobLink: String?
        /// Identifies the code, and so its mail in the outbox.
        public var codeID: ActionCodeID
    }

    /// Called with a project without configuration and a host that a request named, so that `dev` can say what `serve` would need.
    public typealias UnlistedHostObserver = @Sendable (_ project: Project, _ key: String, _ host: String) -> Void

    /// How many codes of one address and operation are alive at most (DESIGN.md §5.1).
    public static let codesAlive = 5

    private let store: any Store
    private let keys: KeyRing
    private let verifier: IDTokenVerifier
    private let clock: WallClock
    private let randomness: Randomness
    private let templates: @Sendable () -> TemplateLibrary
    private let wakeOutbox: @Sendable () -> Void
    private let unlistedHost: UnlistedHostObserver
    private let limiter: RateLimiter?

    /// Takes what the use case works with. `wakeOutbox` is called after each accepted mail and must be cheap. Without a `limiter` nothing is
    /// refused for coming too often.
    public init(
        store: any Store, keys: KeyRing, verifier: IDTokenVerifier, clock: WallClock, randomness: Randomness,
        templates: @escaping @Sendable () -> TemplateLibrary, wakeOutbox: @escaping @Sendable () -> Void,
        unlistedHost: @escaping UnlistedHostObserver = { _, _, _ in }, limiter: RateLimiter? = nil
    ) {
        self.store = store
        self.keys = keys
        self.verifier = verifier
        self.clock = clock
        self.randomness = randomness
        self.templates = templates
        self.wakeOutbox = wakeOutbox
        self.unlistedHost = unlistedHost
        self.limiter = limiter
    }

    /// Checks in the order of wire-contract.md §4.2, then the limits, then issues. When it returns, code and mail are on disk.
    public func callAsFunction(_ request: SendOobCodeRequest, project: Project) async throws(ActionCodeError) -> Answer {
        guard request.operation != nil || request.closedType != nil else { throw .missingRequestType }
        guard !request.returnOobLink || request.isPrivileged else { throw .insufficientPermission }
        let settings = try settings(of: request, project: project)
        if let name = request.closedType { throw .notImplemented(requestType: name) }
        guard let operation = request.operation else { throw .missingRequestType }
        let now = clock.now()
        let target = try SendTarget(
            request, operation: operation, hasContinueURL: settings.continueURL != nil, project: project, verifier: verifier, now: now)
        let language = language(for: request, operation: operation, project: project)
        let apiKey = request.apiKey ?? project.apiKeys.first ?? ""
        let id = ActionCodeID(randomness: randomness)
        let messageToken = request.returnOobLink ? nil : randomness.bytes(12)
        // Before anything is looked up, so that known and unknown addresses count alike.
        let tokens: RateLimiter.Tokens?
        do {
            tokens = try limiter?.take(request.returnOobLink ? [] : target.demands(of: request, project: project))
        } catch {
            throw .tooManyAttempts(retryAfter: error.retryAfter)
        }

        // One transaction; the only thing that a caller waits for.
        let issued: Result<ActionCode, ActionCodeError>
        do {
            issued = try await store.write { [keys] transaction throws(StoreError) in
                let subject: SendTarget.Resolved
                switch try target.resolve(in: transaction, project: project) {
                case .success(let resolved): subject = resolved
                case .failure(let refusal): return .failure(refusal)
                }
                let code = ActionCode(
                    id: id, projectID: project.id, operation: operation, email: subject.email, newEmail: target.newEmail,
                    userID: subject.userID, settings: settings, language: language, apiKey: apiKey, createdAt: now,
                    expiresAt: now + project.lifetime(of: operation))
                try transaction.insert(code, keepingAtMost: Self.codesAlive)
                if let messageToken { try transaction.enqueue(OutboxEntry(mailing: code, nonce: messageToken, keys: keys)) }
                return .success(code)
            }
        } catch {
            // No mail was accepted, and it is not the caller's fault.
            if let tokens { limiter?.giveBack(tokens) }
            throw .store(error)
        }
        let code = try issued.get()
        guard request.returnOobLink else {
            wakeOutbox()
            return Answer(email: code.email.text, codeID: code.id)
        }
        return Answer(
            email: code.email.text, oobCode: OOBCode.text(for: code, keys: keys),
            oobLink: ActionLink.text(for: code, project: project, keys: keys), codeID: code.id)
    }

    private func settings(of request: SendOobCodeRequest, project: Project) throws(ActionCodeError) -> ActionCodeSettings {
        var settings = ActionCodeSettings()
        if let text = request.continueURL, !text.isEmpty {
            guard let url = ContinueURL(text) else { throw .invalidContinueURI }
            guard project.authorizedDomains.allows(url.host) else { throw .unauthorizedDomain }
            if project.authorizedDomains == .any { unlistedHost(project, "authorizedDomains", url.host) }
            settings.continueURL = url
        }
        guard (request.dynamicLinkDomain ?? "").isEmpty else { throw .dynamicLinkNotActivated }
        settings.canHandleCodeInApp = request.canHandleCodeInApp
        settings.iOSBundleID = Self.present(request.iOSBundleID)
        settings.iOSAppStoreID = Self.present(request.iOSAppStoreID)
        settings.androidPackageName = Self.present(request.androidPackageName)
        settings.androidInstallApp = request.androidInstallApp
        settings.androidMinimumVersion = Self.present(request.androidMinimumVersion)
        if settings.androidPackageName == nil, settings.androidInstallApp || settings.androidMinimumVersion != nil {
            throw .missingAndroidPackageName
        }
        if settings.iOSBundleID == nil, settings.iOSAppStoreID != nil { throw .missingIOSBundleID }
        // Production honours linkDomain only where an app completes the link, and ignores it elsewhere (wire-contract.md §5).
        if settings.canHandleCodeInApp, let text = Self.present(request.linkDomain) {
            guard let domain = HostName.normalised(text), domain == text.lowercased(), project.linkDomainPolicy.allows(domain) else {
                throw .invalidHostingLinkDomain
            }
            if project.linkDomainPolicy == .any { unlistedHost(project, "linkDomains", domain) }
            settings.linkDomain = domain
        }
        return settings
    }

    /// What the caller's own setting says, else the best of the browser's or system's languages, else the project's.
    ///
    /// A setting that no template serves gives way to the others where those are served, but stays what links say where none is.
    private func language(for request: SendOobCodeRequest, operation: Operation, project: Project) -> String {
        let locale = request.locale.flatMap(LanguageTag.normalised)
        if let locale, request.acceptedLanguages.isEmpty { return locale }
        let library = templates()
        if let locale {
            let available = library.languages(for: operation.mode, project: project.id)
            let isServed = LanguageTag.lookup([locale], available: available) != nil
            if isServed || LanguageTag.lookup(request.acceptedLanguages, available: available) == nil { return locale }
        }
        return library.bestLanguage(
            for: operation.mode, project: project.id, preferred: request.acceptedLanguages, default: project.defaultLocale)
    }

    /// Empty is absent, as everywhere on the wire. Longer than any store, bundle or package name is nonsense and would fill the disk.
    private static func present(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 255 else { return nil }
        return text
    }
}

extension OutboxEntry {
    /// The mail of a code that is issued now. `nonce` is 12 random bytes.
    init(mailing code: ActionCode, nonce: [UInt8], keys: KeyRing) {
        self.init(
            projectID: code.projectID, codeID: code.id.bytes, recipientDomain: code.recipient.domain,
            messageToken: MessageToken.bytes(nonce: nonce, projectID: code.projectID, recipient: code.recipient, keys: keys),
            createdAt: code.createdAt, expiresAt: code.expiresAt)
    }
}
