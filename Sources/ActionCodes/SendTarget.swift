internal import Accounts
internal import Mail
internal import Platform

/// Whom a code is to be about, as far as the request alone tells: the checks of one row of the table in wire-contract.md §4.2.
struct SendTarget: Sendable {
    /// How the account is found.
    private enum Subject: Sendable {
        /// By an address. `unknown` is the refusal when nobody has it; nil asks nobody, so that known and unknown addresses are accepted alike.
        case address(EmailAddress, unknown: ActionCodeError?)
        /// By an ID token.
        case account(IDTokenClaims)
    }

    /// The account's address and, where the code is to be bound to the account, its id.
    struct Resolved: Sendable {
        var email: EmailAddress
        var userID: String?
    }

    /// The address that the account is to get.
    let newEmail: EmailAddress?
    private let subject: Subject
    private let operation: Operation
    /// Whether the caller may learn that an address has an account. With privacy on only those may whom we trust with the link itself.
    private let tells: Bool
    private let now: UnixTime

    /// Checks what needs no store, in the contract's order.
    init(
        _ request: SendOobCodeRequest, operation: Operation, hasContinueURL: Bool, project: Project, verifier: IDTokenVerifier,
        now: UnixTime
    ) throws(ActionCodeError) {
        self.operation = operation
        self.now = now
        tells = !project.accounts.emailPrivacy || request.returnOobLink || request.namesAccountByAddress
        switch operation {
        case .signIn:
            guard project.emailLinkSignIn else { throw .operationNotAllowed }
            subject = .address(try Self.email(request.email), unknown: nil)
            guard hasContinueURL else { throw .missingContinueURI }
            newEmail = nil
        case .resetPassword:
            subject = .address(try Self.email(request.email), unknown: tells ? .emailNotFound : nil)
            newEmail = nil
        case .verifyEmail:
            subject = try Self.owner(request, missingToken: .invalidIDToken, project: project, verifier: verifier, now: now)
            newEmail = nil
        case .verifyAndChangeEmail:
            guard let text = request.newEmail, !text.isEmpty else { throw .missingNewEmail }
            do { newEmail = try EmailAddress(text) } catch { throw .invalidNewEmail }
            subject = try Self.owner(request, missingToken: .missingIDToken, project: project, verifier: verifier, now: now)
        case .recoverEmail, .revertSecondFactorAddition:
            // Nobody asks for these: they go out with the change that they undo.
            throw .notImplemented(requestType: operation.requestType)
        }
    }

    /// The account's own request with an ID token, or an administrator's for the link, by address.
    private static func owner(
        _ request: SendOobCodeRequest, missingToken: AccountError, project: Project, verifier: IDTokenVerifier, now: UnixTime
    ) throws(ActionCodeError) -> Subject {
        let idToken = request.idToken ?? ""
        if idToken.isEmpty, request.returnOobLink || request.namesAccountByAddress {
            return .address(try email(request.email), unknown: .userNotFound)
        }
        guard !idToken.isEmpty else { throw .account(missingToken) }
        do { return .account(try verifier.verify(idToken, policy: project.accounts, now: now)) } catch { throw .account(error) }
    }

    private static func email(_ text: String?) throws(ActionCodeError) -> EmailAddress {
        guard let text, !text.isEmpty else { throw .missingEmail }
        do { return try EmailAddress(text) } catch { throw .invalidEmail }
    }

    /// The tokens that the mail of a code takes. A change of address takes one for the way back too, which is mailed to the former address
    /// once the new one is proved, and must not be refused then.
    func demands(of request: SendOobCodeRequest, project: Project) -> [RateLimitDemand] {
        let limits = project.limits
        let owner: RateLimitSubject =
            switch subject {
            case .address(let email, _): .address(email)
            case .account(let claims): claims.email.map { .address($0) } ?? .account(claims.userID)
            }
        let recipient = newEmail.map { .address($0) } ?? owner
        return [
            RateLimitDemand(.mailsToAddress, of: recipient, project: project.id, limit: limits.perAddress),
            request.isPrivileged
                ? nil : RateLimitDemand(.mailsOfClient, of: .client(request.client), project: project.id, limit: limits.perClient),
            RateLimitDemand(.mailsOfProject, of: .project, project: project.id, limit: limits.perProject),
            newEmail == nil ? nil : RateLimitDemand(.waysBack, of: owner, project: project.id, limit: limits.perAddress),
        ].compactMap(\.self)
    }

    /// Checks what needs the store, within the transaction that issues the code.
    func resolve(in reader: any StoreReader, project: Project) throws(StoreError) -> Result<Resolved, ActionCodeError> {
        let resolved: Resolved
        switch subject {
        case .address(let email, nil):
            return .success(Resolved(email: email))
        case .address(let email, let unknown?):
            guard let user = try reader.user(email: email, project: project.id) else { return .failure(unknown) }
            // A new password is for whoever has the address when the mail is opened.
            resolved = Resolved(email: email, userID: operation == .resetPassword ? nil : user.id)
        case .account(let claims):
            switch try claims.user(in: reader) {
            case .failure(let refusal): return .failure(.account(refusal))
            case .success(let user):
                guard let email = user.email else { return .failure(.missingEmail) }
                if newEmail != nil, !RecentSignIn.isRecent(claims, of: user, now: now) { return .failure(.account(.credentialTooOld)) }
                resolved = Resolved(email: email, userID: user.id)
            }
        }
        if let newEmail, tells, try reader.user(email: newEmail, project: project.id) != nil { return .failure(.emailExists) }
        return .success(resolved)
    }
}
