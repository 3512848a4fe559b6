public import Mail
internal import Platform

/// A change of an account ready for its transaction: the checks that need the store, and the change itself.
public struct PreparedUpdate: Sendable {
    private let request: UpdateAccountRequest
    /// Whose token it is; nil for an administrator.
    private let owner: IDTokenClaims?
    private let policy: AccountPolicy
    private let now: UnixTime
    /// Of the session that a change may start.
    let token: RefreshToken
    /// The address that is asked for; nil when none is, or when it is malformed.
    let newEmail: EmailAddress?
    /// Set when the request has a password.
    var passwordHash: String?

    private let phoneNumber: String?

    init(_ request: UpdateAccountRequest, owner: IDTokenClaims?, policy: AccountPolicy, now: UnixTime, token: RefreshToken) {
        self.request = request
        self.owner = owner
        self.policy = policy
        self.now = now
        self.token = token
        newEmail = request.email.flatMap { try? EmailAddress($0) }
        phoneNumber = owner == nil ? request.phoneNumber.flatMap(PhoneNumber.normalized) : nil
    }

    /// Changes the account, ends the sessions that must end, and starts the one that takes their place.
    ///
    /// Refused with, in this order: what the token's account is refused with, or `userNotFound`; `operationNotAllowed` for a person who
    /// sets `disabled`; with privacy on `emailChangeNeedsVerification` for a person who sets another address; `credentialTooOld` for a
    /// person who sets address or password, or takes the address away, long after the sign-in; `invalidEmail`, `emailExists`, `passwordLoginDisabled`, `weakPassword`,
    /// `invalidProfileAttribute`, `invalidPhoneNumber`, `phoneNumberExists`, `missingProviderID`, `missingRawID`,
    /// `federatedUserIDAlreadyLinked`.
    public func apply(in transaction: any AccountTransaction) throws(StoreError) -> Result<AccountChange, AccountError> {
        let former: User
        switch try target(in: transaction) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let user): former = user
        }
        if let refusal = try refusal(for: former, in: transaction) { return .failure(refusal) }

        var user = former
        let effect = change(&user)
        try transaction.update(user)
        if effect.endsSessions { try transaction.deleteSessions(userID: user.id, project: user.projectID) }
        var change = AccountChange(
            user: user, replacedEmail: former.email == user.email ? nil : former.email,
            endsActionCodes: former.email != user.email || former.passwordHash != user.passwordHash)
        if effect.endsTokens, !user.disabled, let provider = signInProvider {
            let session = NewSession.make(for: user, provider: provider, now: now, token: token).session
            try transaction.insert(session)
            change.session = session
        }
        return .success(change)
    }

    // MARK: Refusals

    func target(in reader: any AccountReader) throws(StoreError) -> Result<User, AccountError> {
        if let owner { return try owner.user(in: reader) }
        guard let id = request.userID, let user = try reader.user(id: id, project: policy.projectID) else {
            return .failure(.userNotFound)
        }
        return .success(user)
    }

    func refusal(for user: User, in reader: any AccountReader) throws(StoreError) -> AccountError? {
        if let owner, let refusal = refusal(for: user, owner: owner) { return refusal }
        if request.email != nil {
            guard let newEmail else { return .invalidEmail }
            if try isOthers(reader.user(email: newEmail, project: policy.projectID), than: user) { return .emailExists }
        }
        if let password = request.password, !password.isEmpty {
            if owner != nil, !policy.passwordSignIn { return .passwordLoginDisabled }
            if password.utf16.count < PasswordHashing.minimumLength { return .weakPassword }
        }
        guard ProfileLimits.allow(name: request.displayName, photoURL: request.photoURL) else { return .invalidProfileAttribute }
        guard owner == nil else { return nil }
        return try refusalOfIdentities(for: user, in: reader)
    }

    /// What a person may not do, though an administrator may.
    private func refusal(for user: User, owner: IDTokenClaims) -> AccountError? {
        if request.disabled != nil { return .operationNotAllowed }
        let setsEmail = newEmail != nil && newEmail != user.email
        // Also for whoever has no address yet: signUp with an ID token is the way to get one.
        if setsEmail, policy.emailPrivacy { return .emailChangeNeedsVerification }
        let isSensitive = setsEmail || request.password?.isEmpty == false || request.deletedAttributes.contains(.email)
        if isSensitive, !RecentSignIn.isRecent(owner, of: user, now: now) { return .credentialTooOld }
        return nil
    }

    private func refusalOfIdentities(for user: User, in reader: any AccountReader) throws(StoreError) -> AccountError? {
        if request.phoneNumber?.isEmpty == false {
            guard let phoneNumber else { return .invalidPhoneNumber }
            if try isOthers(reader.user(phoneNumber: phoneNumber, project: policy.projectID), than: user) { return .phoneNumberExists }
        }
        if let linked = request.linkedProvider {
            guard let providerID = linked.providerID, !providerID.isEmpty else { return .missingProviderID }
            guard let rawID = linked.rawID, !rawID.isEmpty else { return .missingRawID }
            if try isOthers(reader.user(providerID: providerID, rawID: rawID, project: policy.projectID), than: user) {
                return .federatedUserIDAlreadyLinked
            }
        }
        return nil
    }

    private func isOthers(_ found: User?, than user: User) -> Bool { found.map { $0.id != user.id } ?? false }

    // MARK: The change

    /// What a change does to sign-ins that exist.
    private struct Effect {
        /// All sessions end, at once.
        var endsSessions = false
        /// ID tokens from before `validSince` end.
        var endsTokens = false
    }

    private func change(_ user: inout User) -> Effect {
        var effect = Effect()
        changeProfile(&user)
        changeAddress(&user, &effect)
        if let passwordHash {
            effect.endsSessions = true
            user.passwordHash = passwordHash
            user.passwordUpdatedAt = now
            endTokens(of: &user, &effect)
        }
        unlink(&user)
        if owner == nil { changeAsAdministrator(&user, &effect) }
        return effect
    }

    private func changeProfile(_ user: inout User) {
        if let name = request.displayName { user.displayName = name.isEmpty ? nil : name }
        if let photo = request.photoURL { user.photoURL = photo.isEmpty ? nil : photo }
        if request.deletedAttributes.contains(.displayName) { user.displayName = nil }
        if request.deletedAttributes.contains(.photoURL) { user.photoURL = nil }
    }

    private func changeAddress(_ user: inout User, _ effect: inout Effect) {
        let former = user.email
        if request.deletedAttributes.contains(.email) {
            // Neither way to sign in is left without an address.
            user.email = nil
            user.passwordHash = nil
            user.passwordUpdatedAt = nil
            user.emailLinkSignIn = false
        } else if let newEmail {
            user.email = newEmail
        }
        guard user.email != former else { return }
        user.emailVerified = false
        if let former {
            user.initialEmail = user.initialEmail ?? former
            // Whoever sat in the account under the former address is out.
            effect.endsSessions = true
        }
        endTokens(of: &user, &effect)
    }

    /// A password or provider that is taken away ends no session: a client that unlinks keeps the tokens it has, and asks for no others.
    private func unlink(_ user: inout User) {
        if request.deletedAttributes.contains(.password) || request.deletedProviders.contains("password") {
            user.passwordHash = nil
            user.passwordUpdatedAt = nil
        }
        // The address stays, as in production.
        if request.deletedProviders.contains("password") { user.emailLinkSignIn = false }
        if request.deletedProviders.contains("phone") { user.phoneNumber = nil }
        user.federatedProviders.removeAll { request.deletedProviders.contains($0.providerID) }
    }

    private func changeAsAdministrator(_ user: inout User, _ effect: inout Effect) {
        user.phoneNumber = phoneNumber ?? user.phoneNumber
        user.emailVerified = user.email == nil ? false : request.emailVerified ?? user.emailVerified
        if let attributes = request.customAttributes { user.customAttributes = attributes.isEmpty ? nil : attributes }
        user.createdAt = request.createdAt ?? user.createdAt
        user.lastLoginAt = request.lastLoginAt ?? user.lastLoginAt
        if let linked = request.linkedProvider, let providerID = linked.providerID, let rawID = linked.rawID {
            user.federatedProviders.removeAll { $0.providerID == providerID }
            user.federatedProviders.append(
                FederatedProvider(
                    providerID: providerID, rawID: rawID, displayName: linked.displayName, email: linked.email, photoURL: linked.photoURL))
        }
        if let disabled = request.disabled {
            user.disabled = disabled
            effect.endsSessions = effect.endsSessions || disabled
        }
        if let validSince = request.validSince {
            effect.endsTokens = true
            if validSince.seconds >= now.seconds {
                // Time is told in whole seconds; what was made within this one must end, too.
                user.endTokens(at: validSince)
                effect.endsSessions = true
            } else {
                // What was made later goes on; the rest ends by its time.
                user.validSince = UnixTime(seconds: validSince.seconds)
            }
        }
    }

    private func endTokens(of user: inout User, _ effect: inout Effect) {
        user.endTokens(at: now)
        effect.endsTokens = true
    }

    /// How the account is known to sign in; nil when only an administrator knows of the change.
    private var signInProvider: String? { passwordHash == nil ? owner?.signInProvider : SignInProvider.password }
}
