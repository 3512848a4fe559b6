public import Crypto
internal import Mail
public import Platform

/// Makes accounts: anonymous ones, ones with address and password, and whatever an administrator asks for (wire contract §11).
public struct SignUp: Sendable {
    /// What a caller sends; an empty string counts as absent except where the contract says otherwise.
    public struct Request: Sendable {
        /// The account that gets address and password, instead of a new one.
        public var idToken: String?
        /// The address as it was sent.
        public var email: String?
        /// The password, at least 6 characters.
        public var password: String?
        /// At most 1,024 bytes; ignored for anonymous accounts.
        public var displayName: String?
        /// At most 2,048 bytes; privileged callers only, ignored otherwise.
        public var photoURL: String?
        /// In E.164; privileged callers only, ignored otherwise.
        public var phoneNumber: String?
        /// The id of the new account; privileged callers only, refused otherwise.
        public var userID: String?
        /// Whether the address counts as proved; privileged callers only, ignored otherwise.
        public var emailVerified = false
        /// Whether the account is shut; privileged callers only, ignored otherwise.
        public var disabled = false

        /// Makes an empty request, which is one for an anonymous account.
        public init() {}
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

    /// Signs a client up, or gives its account an address and a password, and signs it in.
    ///
    /// A replaced address or password ends the account's other sessions; a new address is not verified.
    /// - Throws, in this order: `unexpectedParameterUserID`; with a token, password or address `missingEmail`, `missingPassword`,
    ///   `operationNotAllowed`; `adminOnlyOperation`; `invalidEmail`, `emailExists`, `weakPassword`, `invalidProfileAttribute`; then what
    ///   the ID token is refused with; `emailChangeNeedsVerification` for another address than the account has, and
    ///   `credentialTooOld` long after the sign-in.
    public func signUp(_ request: Request) async throws(AccountError) -> SignedIn {
        guard request.userID?.isEmpty ?? true else { throw .unexpectedParameterUserID }
        let isAnonymous = [request.idToken, request.password, request.email].allSatisfy { $0?.isEmpty ?? true }
        var profile = Profile(email: request.email)
        if isAnonymous {
            guard policy.allowSignUp else { throw .adminOnlyOperation }
        } else {
            guard request.email?.isEmpty == false else { throw .missingEmail }
            guard let password = request.password, !password.isEmpty else { throw .missingPassword }
            guard policy.passwordSignIn else { throw .operationNotAllowed }
            // Whoever has a token has an account already, so nobody signs up.
            guard policy.allowSignUp || request.idToken?.isEmpty == false else { throw .adminOnlyOperation }
            profile.password = password
            profile.displayName = request.displayName.nonEmpty
        }
        let prepared = try await prepare(profile, idToken: request.idToken.nonEmpty)
        let token = RefreshToken.make(randomness)
        let provider = isAnonymous ? SignInProvider.anonymous : SignInProvider.password

        let (user, session) = try await store.writing { transaction throws(StoreError) -> Result<(User, Session), AccountError> in
            if let refusal = try prepared.refusal(in: transaction) { return .failure(refusal) }
            switch try prepared.save(in: transaction, signingIn: true) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let user):
                let session = NewSession.make(for: user, provider: provider, now: prepared.now, token: token).session
                try transaction.insert(session)
                return .success((user, session))
            }
        }
        return SignedIn(
            user: user, idToken: try issuer.issue(for: user, session: session, policy: policy), refreshToken: token.text)
    }

    /// Makes an account for a privileged caller, or changes the one of an ID token; signs nobody in.
    ///
    /// - Throws, in this order: `unexpectedParameterUserID` for an id with an ID token; `invalidLocalID`, `duplicateLocalID`,
    ///   `invalidPhoneNumber`, `phoneNumberExists`, `invalidEmail`, `emailExists`, `weakPassword`, `invalidProfileAttribute`; then what the
    ///   ID token is refused with.
    public func create(_ request: Request) async throws(AccountError) -> User {
        let userID = request.userID.nonEmpty
        guard userID == nil || request.idToken.nonEmpty == nil else { throw .unexpectedParameterUserID }
        guard userID?.utf16.count ?? 0 <= UserID.lengthLimit else { throw .invalidLocalID }
        var profile = Profile(email: request.email.nonEmpty)
        profile.userID = userID
        profile.password = request.password.nonEmpty
        profile.displayName = request.displayName.nonEmpty
        profile.photoURL = request.photoURL.nonEmpty
        profile.phoneNumber = request.phoneNumber.nonEmpty
        profile.emailVerified = request.emailVerified
        profile.disabled = request.disabled
        let prepared = try await prepare(profile, idToken: request.idToken.nonEmpty)

        return try await store.writing { transaction throws(StoreError) in
            if let refusal = try prepared.refusal(in: transaction) { return .failure(refusal) }
            return try prepared.save(in: transaction, signingIn: false)
        }
    }

    /// Does what costs time or gives random results before the transaction, whose body may run twice and must be short.
    private func prepare(_ profile: Profile, idToken: String?) async throws(AccountError) -> PreparedSignUp {
        let now = clock.now()
        var owner: Result<IDTokenClaims, AccountError>?
        if let idToken {
            do throws(AccountError) {
                owner = .success(try verifier.verify(idToken, policy: policy, now: now))
            } catch {
                // Told last: the store may find something that comes before it.
                owner = .failure(error)
            }
        }
        var prepared = PreparedSignUp(
            profile: profile, policy: policy, newUserID: profile.userID ?? UserID.make(randomness), owner: owner, now: now)
        // A request that is refused anyway costs no hash.
        if let password = profile.password, prepared.refusalWithoutStore == nil {
            prepared.passwordHash = try await passwords.hash(password)
        }
        return prepared
    }
}

extension SignUp {
    /// What an account is to have, whoever asked for it; nil leaves as it is.
    struct Profile: Sendable {
        var email: String?
        var userID: String?
        var password: String?
        var displayName: String?
        var photoURL: String?
        var phoneNumber: String?
        var emailVerified = false
        var disabled = false
    }
}

extension String? {
    fileprivate var nonEmpty: String? { self?.isEmpty ?? true ? nil : self }
}
