public import Crypto
internal import Mail
public import Platform

/// Changes an account, for its owner by ID token or for an administrator by id (wire contract §8.2).
///
/// It takes three steps, so that whoever keeps more than accounts can join the transaction: `prepare`, `PreparedUpdate.apply(in:)` and
/// `answer`. `callAsFunction` does all three, for accounts alone.
public struct UpdateAccount: Sendable {
    /// What the caller learns.
    public struct Answer: Sendable {
        /// The account as it is stored now.
        public var user: User
        /// Tokens in place of those that the change has ended; nil when it ended none, or when nobody knows how the account signs in.
        public var signedIn: SignedIn?
        /// The address that was sent, normalised.
        public var newEmail: String?
    }

    private let store: any AccountStore
    private let policy: AccountPolicy
    private let issuer: IDTokenIssuer
    private let verifier: IDTokenVerifier
    private let passwords: PasswordHashing
    private let clock: WallClock
    private let randomness: Randomness

    /// Makes the use case for one project.
    public init(
        store: any AccountStore, policy: AccountPolicy, issuer: IDTokenIssuer, verifier: IDTokenVerifier, passwords: PasswordHashing,
        clock: WallClock, randomness: Randomness
    ) {
        self.store = store
        self.policy = policy
        self.issuer = issuer
        self.verifier = verifier
        self.passwords = passwords
        self.clock = clock
        self.randomness = randomness
    }

    /// Changes the account.
    ///
    /// - Throws: as `prepare` and `PreparedUpdate.apply(in:)`.
    public func callAsFunction(_ request: UpdateAccountRequest) async throws(AccountError) -> Answer {
        let prepared = try await prepare(request)
        let change = try await store.writing { transaction throws(StoreError) in try prepared.apply(in: transaction) }
        return try answer(change, to: prepared)
    }

    /// Checks what can be checked without a transaction, and hashes the password, which must not hold one open.
    ///
    /// - Throws: as `UpdateAccountRequest.check`; `missingIDToken` for a person without one, and what the token is refused with. What is
    ///   wrong with the fields is told by `PreparedUpdate.apply(in:)`, behind what is wrong with the account.
    public func prepare(_ request: UpdateAccountRequest) async throws(AccountError) -> PreparedUpdate {
        try request.check(hasCode: false)
        let now = clock.now()
        var owner: IDTokenClaims?
        if !request.isPrivileged {
            guard let idToken = request.idToken else { throw .missingIDToken }
            owner = try verifier.verify(idToken, policy: policy, now: now)
        }
        var prepared = PreparedUpdate(request, owner: owner, policy: policy, now: now, token: RefreshToken.make(randomness))
        let early = prepared
        // A request that is refused anyway costs no hash; who is refused by the account itself is told so here, too.
        if let password = request.password, !password.isEmpty {
            let refusal = try await store.reading { reader throws(StoreError) -> Result<AccountError?, AccountError> in
                switch try early.target(in: reader) {
                case .failure(let refusal): .success(refusal)
                case .success(let user): .success(try early.refusal(for: user, in: reader))
                }
            }
            if let refusal { throw refusal }
            prepared.passwordHash = try await passwords.hash(password)
        }
        return prepared
    }

    /// The answer to a change that is stored.
    ///
    /// - Throws: as `IDTokenIssuer.issue`.
    public func answer(_ change: AccountChange, to prepared: PreparedUpdate) throws(AccountError) -> Answer {
        var answer = Answer(user: change.user, newEmail: prepared.newEmail?.text)
        if let session = change.session {
            answer.signedIn = SignedIn(
                user: change.user, idToken: try issuer.issue(for: change.user, session: session, policy: policy),
                refreshToken: prepared.token.text)
        }
        return answer
    }
}
