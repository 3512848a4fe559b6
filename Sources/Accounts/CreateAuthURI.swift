public import Crypto
internal import FoundationEssentials
internal import Mail

/// Tells how an address can sign in, where the project lets strangers know (wire contract §9).
public struct CreateAuthURI: Sendable {
    /// What a client sends.
    public struct Request: Sendable {
        /// The address as it was sent.
        public var identifier: String?
        /// Where a provider would send the browser back to; checked for its form only, since nothing goes there.
        public var continueURI: String?
        /// Given back as it came.
        public var sessionID: String?

        /// Makes a request.
        public init(identifier: String?, continueURI: String?, sessionID: String?) {
            self.identifier = identifier
            self.continueURI = continueURI
            self.sessionID = sessionID
        }
    }

    /// What the client learns.
    public struct Answer: Sendable, Equatable {
        /// The one that was sent, or 27 letters and digits.
        public var sessionID: String
        /// How the address can sign in; nil with privacy on, when nothing is told.
        public var methods: Methods?
    }

    /// How an address can sign in; empty lists when it has no account.
    public struct Methods: Sendable, Equatable {
        /// Whether there is an account.
        public var isRegistered: Bool
        /// Provider ids, `password` among them.
        public var providers: [String]
        /// `password`, `emailLink` and the ids of other providers.
        public var signInMethods: [String]
    }

    private let store: any AccountStore
    private let policy: AccountPolicy
    private let randomness: Randomness

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy, randomness: Randomness) {
        self.store = store
        self.policy = policy
        self.randomness = randomness
    }

    /// How the address of the request can sign in. With privacy on no account is looked at, so there is nothing that time could tell.
    ///
    /// - Throws, in this order: `missingIdentifier`, `missingContinueURI`, `invalidIdentifier`, `invalidContinueURI`.
    public func callAsFunction(_ request: Request) async throws(AccountError) -> Answer {
        guard let identifier = request.identifier, !identifier.isEmpty else { throw .missingIdentifier }
        guard let continueURI = request.continueURI, !continueURI.isEmpty else { throw .missingContinueURI }
        guard let email = try? EmailAddress(identifier) else { throw .invalidIdentifier }
        guard Self.isAbsolute(continueURI) else { throw .invalidContinueURI }
        let sessionID = request.sessionID.flatMap { $0.isEmpty ? nil : $0 } ?? String(UserID.make(randomness).prefix(27))
        guard !policy.emailPrivacy else { return Answer(sessionID: sessionID) }

        let project = policy.projectID
        let user = try await store.reading { reader throws(StoreError) in .success(try reader.user(email: email, project: project)) }
        return Answer(sessionID: sessionID, methods: Self.methods(of: user))
    }

    private static func methods(of user: User?) -> Methods {
        guard let user else { return Methods(isRegistered: false, providers: [], signInMethods: []) }
        let federated = user.federatedProviders.map(\.providerID)
        var methods = Methods(isRegistered: true, providers: federated, signInMethods: federated)
        if user.hasPasswordProvider { methods.providers.insert("password", at: 0) }
        if user.emailLinkSignIn { methods.signInMethods.insert("emailLink", at: 0) }
        if user.passwordHash != nil { methods.signInMethods.insert("password", at: 0) }
        return methods
    }

    private static func isAbsolute(_ text: String) -> Bool {
        guard text.utf8.count <= 8192, let url = URL(string: text), url.scheme?.isEmpty == false else { return false }
        return url.host()?.isEmpty == false
    }
}
