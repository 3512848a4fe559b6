internal import Mail
public import Platform

/// Tells what is known about accounts: to their owners by ID token, to administrators by id, address, number or provider (wire contract §10).
public struct LookupAccounts: Sendable {
    /// What an administrator asks for; any of the lists may be empty.
    public struct Query: Sendable {
        /// Account ids.
        public var userIDs: [String] = []
        /// Addresses as they were sent; one that is no address finds nothing.
        public var emails: [String] = []
        /// Phone numbers as they were sent.
        public var phoneNumbers: [String] = []
        /// Identifiers at other providers.
        public var federatedUserIDs: [(providerID: String, rawID: String)] = []

        /// Makes a query for nothing.
        public init() {}
    }

    private let store: any AccountStore
    private let policy: AccountPolicy
    private let verifier: IDTokenVerifier
    private let clock: WallClock

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy, verifier: IDTokenVerifier, clock: WallClock) {
        self.store = store
        self.policy = policy
        self.verifier = verifier
        self.clock = clock
    }

    /// The account that an ID token belongs to.
    ///
    /// - Throws: `missingIDToken`, then as `IDTokenVerifier.verify` and `IDTokenClaims.user(in:)`.
    public func owner(idToken: String?) async throws(AccountError) -> User {
        guard let idToken, !idToken.isEmpty else { throw .missingIDToken }
        let claims = try verifier.verify(idToken, policy: policy, now: clock.now())
        return try await store.reading { reader throws(StoreError) in try claims.user(in: reader) }
    }

    /// The accounts that a privileged query names, each once: those found by id first, then by address, number and provider.
    public func matches(_ query: Query) async throws(AccountError) -> [User] {
        let project = policy.projectID
        return try await store.reading { reader throws(StoreError) in
            var found: [User] = []
            var ids: Set<String> = []
            func add(_ user: User?) {
                if let user, ids.insert(user.id).inserted { found.append(user) }
            }
            for id in query.userIDs { add(try reader.user(id: id, project: project)) }
            for text in query.emails {
                guard let email = try? EmailAddress(text) else { continue }
                add(try reader.user(email: email, project: project))
            }
            for text in query.phoneNumbers {
                guard let number = PhoneNumber.normalized(text) else { continue }
                add(try reader.user(phoneNumber: number, project: project))
            }
            for identity in query.federatedUserIDs {
                add(try reader.user(providerID: identity.providerID, rawID: identity.rawID, project: project))
            }
            return .success(found)
        }
    }
}
