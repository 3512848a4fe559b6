public import Accounts
public import Crypto
internal import Mail
public import Platform

/// Completes a sign-in link: the code, the address it was mailed to, and an account that comes out of it.
public struct SignInWithEmailLink: Sendable {
    /// What the caller sends.
    public struct Request: Sendable {
        /// The address that the person typed or the app remembered.
        public var email: String?
        /// The code of the link, or where the project includes them the six digits beside it.
        public var oobCode: String?
        /// An ID token of the account that the address is to be linked to.
        public var idToken: String?

        /// Makes a request.
        public init(email: String?, oobCode: String?, idToken: String?) {
            self.email = email
            self.oobCode = oobCode
            self.idToken = idToken
        }
    }

    /// What came out.
    public struct Answer: Sendable {
        /// The account and its tokens.
        public var signedIn: SignedIn
        /// Whether the account was made just now.
        public var isNewUser: Bool
    }

    private struct Completed: Sendable {
        var user: User
        var session: Session
        var isNewUser: Bool
    }

    private let store: any Store
    private let keys: KeyRing
    private let issuer: IDTokenIssuer
    private let verifier: IDTokenVerifier
    private let clock: WallClock
    private let randomness: Randomness

    /// Takes what the use case works with.
    public init(
        store: any Store, keys: KeyRing, issuer: IDTokenIssuer, verifier: IDTokenVerifier, clock: WallClock, randomness: Randomness
    ) {
        self.store = store
        self.keys = keys
        self.issuer = issuer
        self.verifier = verifier
        self.clock = clock
        self.randomness = randomness
    }

    /// Checks in the order of wire-contract.md §6, completes in one transaction, and signs the token afterwards.
    public func callAsFunction(_ request: Request, project: Project) async throws(ActionCodeError) -> Answer {
        let now = clock.now()
        guard project.emailLinkSignIn else { throw .operationNotAllowed }
        let caller = try caller(idToken: request.idToken, project: project, now: now)
        // A bad caller is told so before the address and the code are looked at; the account is looked up again in the transaction.
        if let caller { try await check(caller) }
        guard let typed = request.email, !typed.isEmpty else { throw .missingEmail }
        guard let oobCode = request.oobCode, !oobCode.isEmpty else { throw .missingOobCode }
        let proof = try proof(email: typed, oobCode: oobCode, project: project, now: now)

        let newUserID = UserID.make(randomness)
        let newToken = RefreshToken.make(randomness)
        let outcome: Result<Completed, ActionCodeError>
        do {
            outcome = try await store.write { [keys] transaction throws(StoreError) in
                try Self.complete(
                    proof, keys: keys, caller: caller, newUserID: newUserID, newToken: newToken, project: project, now: now,
                    in: transaction)
            }
        } catch {
            throw .store(error)
        }
        let completed = try outcome.get()
        do {
            let idToken = try issuer.issue(for: completed.user, session: completed.session, policy: project.accounts)
            return Answer(
                signedIn: SignedIn(user: completed.user, idToken: idToken, refreshToken: newToken.text), isNewUser: completed.isNewUser)
        } catch {
            throw .account(error)
        }
    }

    /// What the caller brings to show that the mail has arrived.
    private enum Proof: Sendable {
        /// The code of the link, with the address when the caller named one that can be.
        case link(OOBCode, EmailAddress?)
        /// The digits beside the link.
        case digits(SignInDigits, EmailAddress)
    }

    private func proof(email: String, oobCode: String, project: Project, now: UnixTime) throws(ActionCodeError) -> Proof {
        if project.includeCode, let digits = SignInDigits(oobCode) {
            // Digits are looked up by the address, and tries of what is none cannot be counted.
            do { return .digits(digits, try EmailAddress(email)) } catch { throw .invalidEmail }
        }
        let code: OOBCode
        do {
            code = try OOBCode(oobCode, projectID: project.id, keys: keys, now: now)
        } catch {
            throw error.asActionCodeError
        }
        guard code.operation == .signIn else { throw .invalidOobCode }
        // Something that is no address at all cannot be the right one: it counts as a miss like any other.
        return .link(code, try? EmailAddress(email))
    }

    /// The live code that `proof` proves. What is counted on the way stays counted, whatever comes out.
    private static func prove(
        _ proof: Proof, keys: KeyRing, project: Project, now: UnixTime, in transaction: any StoreTransaction
    ) throws(StoreError) -> Result<ActionCode, ActionCodeError> {
        switch proof {
        case .link(let code, let typed):
            guard let stored = try transaction.actionCode(code.id, expiresAt: code.expiresAt), stored.state == .live else {
                return .failure(.invalidOobCode)
            }
            guard let email = typed, email == stored.email else {
                if try transaction.countMiss(of: stored) >= project.completionsPerCode {
                    _ = try transaction.settle(stored, as: .exhausted)
                }
                return .failure(.emailMismatch)
            }
            return .success(stored)
        case .digits(let digits, let email):
            let again = try transaction.countDigitsTry(
                email: email, project: project.id, now: now, limit: SignInDigits.tries, window: SignInDigits.lifetime)
            if let again { return .failure(.tooManyAttempts(retryAfter: again - now)) }
            let newest = try transaction.newestActionCode(email: email, project: project.id, operation: .signIn, now: now)
            // Wrong digits are no miss of the code: whoever guesses must not end the link.
            guard digits.prove(newest, keys: keys, now: now), let newest else { return .failure(.invalidOobCode) }
            return .success(newest)
        }
    }

    private func caller(idToken: String?, project: Project, now: UnixTime) throws(ActionCodeError) -> IDTokenClaims? {
        guard let idToken, !idToken.isEmpty else { return nil }
        do { return try verifier.verify(idToken, policy: project.accounts, now: now) } catch { throw .account(error) }
    }

    private func check(_ caller: IDTokenClaims) async throws(ActionCodeError) {
        let found: Result<User, AccountError>
        do {
            found = try await store.read { reader throws(StoreError) in try caller.user(in: reader) }
        } catch {
            throw .store(error)
        }
        if case .failure(let refusal) = found { throw .account(refusal) }
    }

    /// The whole completion. What it returns is committed: a refusal after the code was spent leaves the code spent (wire-contract.md §6).
    private static func complete(
        _ proof: Proof, keys: KeyRing, caller: IDTokenClaims?, newUserID: String, newToken: RefreshToken, project: Project,
        now: UnixTime, in transaction: any StoreTransaction
    ) throws(StoreError) -> Result<Completed, ActionCodeError> {
        let stored: ActionCode
        switch try prove(proof, keys: keys, project: project, now: now, in: transaction) {
        case .success(let code): stored = code
        case .failure(let refusal): return .failure(refusal)
        }
        let email = stored.email
        let owner = try transaction.user(email: email, project: project.id)
        var linked: User?
        if let caller {
            switch try caller.user(in: transaction) {
            case .success(let user): linked = user
            case .failure(let refusal): return .failure(.account(refusal))
            }
        }
        if linked == nil, owner == nil, !project.accounts.allowSignUp { return .failure(.adminOnlyOperation) }

        // From here on the code is spent, and with it every other one of this address.
        guard try transaction.settle(stored, as: .used) else { return .failure(.invalidOobCode) }
        try transaction.voidActionCodes(email: email, project: project.id)
        if let owner, owner.disabled { return .failure(.userDisabled) }
        if let linked, let owner, owner.id != linked.id { return .failure(.emailExists) }

        let isNewUser = linked == nil && owner == nil
        var user = linked ?? owner ?? User(id: newUserID, projectID: project.id, createdAt: now)
        let sessionsEnd: Bool
        if isNewUser {
            user.email = email
            user.emailVerified = true
            sessionsEnd = false
        } else if user.email == email {
            sessionsEnd = OwnershipProof.apply(to: &user, now: now)
        } else {
            // The caller's own account gets another address: what it holds stays its own, but whoever sat in it under the former one is out.
            sessionsEnd = user.email != nil
            if let former = user.email {
                try transaction.voidActionCodes(email: former, project: project.id)
                user.endTokens(at: now)
            }
            user.email = email
            user.emailVerified = true
        }
        user.emailLinkSignIn = true
        user.lastLoginAt = now
        user.lastRefreshAt = now
        if isNewUser {
            try transaction.insert(user)
        } else {
            if sessionsEnd { try transaction.deleteSessions(userID: user.id, project: project.id) }
            try transaction.update(user)
        }
        let session = NewSession.make(for: user, provider: SignInProvider.password, now: now, token: newToken).session
        try transaction.insert(session)
        return .success(Completed(user: user, session: session, isNewUser: isNewUser))
    }
}
