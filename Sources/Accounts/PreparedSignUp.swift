internal import Mail
internal import Platform

/// A sign-up ready for its transaction: the checks that need the store, and the change itself.
struct PreparedSignUp: Sendable {
    let profile: SignUp.Profile
    let projectID: String
    /// The id if a new account is made.
    let newUserID: String
    /// The account that is to be changed, or why the token for it is refused; nil makes a new account.
    let owner: Result<IDTokenClaims, AccountError>?
    let now: UnixTime
    /// Set when the profile has a password.
    var passwordHash: String?

    private let email: EmailAddress?
    private let phoneNumber: String?

    init(
        profile: SignUp.Profile, policy: AccountPolicy, newUserID: String, owner: Result<IDTokenClaims, AccountError>?, now: UnixTime
    ) {
        self.profile = profile
        projectID = policy.projectID
        self.newUserID = newUserID
        self.owner = owner
        self.now = now
        email = profile.email.flatMap { try? EmailAddress($0) }
        phoneNumber = profile.phoneNumber.flatMap(PhoneNumber.normalized)
    }

    /// Some reason to refuse that shows without the store; not always the first one, which `refusal(in:)` gives.
    var refusalWithoutStore: AccountError? {
        if isPhoneNumberMalformed { return .invalidPhoneNumber }
        if isEmailMalformed { return .invalidEmail }
        return laterRefusal
    }

    private var isPhoneNumberMalformed: Bool { profile.phoneNumber != nil && phoneNumber == nil }
    private var isEmailMalformed: Bool { profile.email != nil && email == nil }

    private var laterRefusal: AccountError? {
        if let password = profile.password, password.utf16.count < PasswordHashing.minimumLength { return .weakPassword }
        guard ProfileLimits.allow(name: profile.displayName, photoURL: profile.photoURL) else { return .invalidProfileAttribute }
        if case .failure(let refusal) = owner { return refusal }
        return nil
    }

    /// The first reason to refuse, in the contract's order, but for what the token's account itself is refused with.
    func refusal(in reader: any AccountReader) throws(StoreError) -> AccountError? {
        if let id = profile.userID, try reader.user(id: id, project: projectID) != nil { return .duplicateLocalID }
        if isPhoneNumberMalformed { return .invalidPhoneNumber }
        if let phoneNumber, isOthers(try reader.user(phoneNumber: phoneNumber, project: projectID)) { return .phoneNumberExists }
        if isEmailMalformed { return .invalidEmail }
        if let email, isOthers(try reader.user(email: email, project: projectID)) { return .emailExists }
        return laterRefusal
    }

    /// Whether a found account is another than the one to be changed; one may set a password for the address that one has.
    private func isOthers(_ user: User?) -> Bool {
        guard let user else { return false }
        guard case .success(let claims) = owner else { return true }
        return claims.userID != user.id
    }

    /// Adds or changes the account. A new id is not looked up when it was drawn: 166 random bits do not meet twice.
    func save(in transaction: any AccountTransaction, signingIn: Bool) throws(StoreError) -> Result<User, AccountError> {
        guard case .success(let claims) = owner else {
            var user = User(id: newUserID, projectID: projectID, createdAt: now)
            _ = change(&user, signingIn: signingIn)
            try transaction.insert(user)
            return .success(user)
        }
        switch try claims.user(in: transaction) {
        case .failure(let refusal): return .failure(refusal)
        case .success(var user):
            if signingIn, let refusal = refusal(for: user, owner: claims) { return .failure(refusal) }
            let endsSessions = change(&user, signingIn: signingIn)
            try transaction.update(user)
            if endsSessions { try transaction.deleteSessions(userID: user.id, project: projectID) }
            return .success(user)
        }
    }

    /// What a person may not do with an ID token alone, whichever call it comes by. An address that an account has is never replaced here, since
    /// this call mails no way back to it; `accounts:update` does.
    private func refusal(for user: User, owner: IDTokenClaims) -> AccountError? {
        if let email, user.email != nil, email != user.email { return .emailChangeNeedsVerification }
        return RecentSignIn.isRecent(owner, of: user, now: now) ? nil : .credentialTooOld
    }

    /// Gives whether the account's sessions must end: those of whoever knew an address or password that is replaced, and of everybody when
    /// an administrator shuts it.
    private func change(_ user: inout User, signingIn: Bool) -> Bool {
        var endsSessions = false
        if let email, email != user.email {
            if let old = user.email {
                user.initialEmail = user.initialEmail ?? old
                endsSessions = true
            }
            user.email = email
            user.emailVerified = false
            user.endTokens(at: now)
        }
        if profile.emailVerified { user.emailVerified = true }
        if let passwordHash {
            endsSessions = endsSessions || user.passwordHash != nil
            user.passwordHash = passwordHash
            user.passwordUpdatedAt = now
            user.endTokens(at: now)
        }
        user.displayName = profile.displayName ?? user.displayName
        user.photoURL = profile.photoURL ?? user.photoURL
        user.phoneNumber = phoneNumber ?? user.phoneNumber
        if profile.disabled {
            user.disabled = true
            endsSessions = true
        }
        if signingIn {
            user.lastLoginAt = now
            user.lastRefreshAt = now
        }
        return endsSessions
    }
}
