internal import Accounts
internal import ActionCodes
internal import Mail
internal import Platform

/// What calls about accounts take from the buckets; administrators take nothing that counts for a client.
struct CallLimits: Sendable {
    /// How many wrong passwords for an address are taken from everywhere, against those from one client.
    private static let clients = 10

    let limiter: RateLimiter

    /// Takes one call of a kind that is counted by client.
    func take(_ kind: RateLimitKind, for call: APICall, _ project: Project) throws(APIError) {
        guard !call.caller.isPrivileged else { return }
        _ = try take([RateLimitDemand(kind, of: .client(call.client), project: project.id, limit: project.limits.perClient)])
    }

    /// Takes what a person's change of an account needs: one that costs a hash or tells whether an address is free counts for the client, and
    /// one that mails the former address the way back counts for that address.
    func takeChange(
        _ request: UpdateAccountRequest, for call: APICall, _ project: Project, verifier: IDTokenVerifier, now: UnixTime
    ) throws(APIError) {
        let setsEmail = request.email?.isEmpty == false
        let mails = request.deletedAttributes.contains(.email) || setsEmail && !project.accounts.emailPrivacy
        guard !call.caller.isPrivileged, mails || setsEmail || request.password?.isEmpty == false else { return }
        var demands = [RateLimitDemand(.accountChanges, of: .client(call.client), project: project.id, limit: project.limits.perClient)]
        // A token that is not good is refused later on, and mails nobody.
        if mails, let token = request.idToken, let claims = try? verifier.verify(token, policy: project.accounts, now: now),
            let former = claims.email
        {
            demands.append(RateLimitDemand(.waysBack, of: .address(former), project: project.id, limit: project.limits.perAddress))
        }
        _ = try take(demands)
    }

    /// Signs in with a password, unless there were too many wrong ones.
    ///
    /// The tokens are taken first, so that a thousand guesses at the same time are no way around them, and given back when the password was
    /// right or nobody knows.
    func attempt(
        _ request: SignInWithPassword.Request, for call: APICall, _ project: Project, _ signIn: () async throws(AccountError) -> SignedIn
    ) async throws(APIError) -> SignedIn {
        let tokens = try take(guesses(of: request, for: call, project))
        do {
            let signedIn = try await signIn()
            limiter.giveBack(tokens)
            return signedIn
        } catch {
            switch error {
            case .store, .crypto: limiter.giveBack(tokens)
            default: break
            }
            throw APIError(error)
        }
    }

    private func guesses(of request: SignInWithPassword.Request, for call: APICall, _ project: Project) -> [RateLimitDemand?] {
        guard let email = request.email.flatMap({ try? EmailAddress($0) }) else { return [] }
        let attempts = project.limits.passwordAttempts
        let everywhere = RateLimitDemand(
            .passwordsForAddress, of: .address(email), project: project.id, limit: attempts?.times(Self.clients))
        // A backend hands on what its own users type.
        guard !call.caller.isPrivileged else { return [everywhere] }
        return [
            everywhere,
            RateLimitDemand(
                .passwordsOfClientForAddress, of: .clientAndAddress(call.client, email), project: project.id, limit: attempts),
            RateLimitDemand(.passwordsOfClient, of: .client(call.client), project: project.id, limit: project.limits.perClient),
        ]
    }

    private func take(_ demands: [RateLimitDemand?]) throws(APIError) -> RateLimiter.Tokens {
        do { return try limiter.take(demands.compactMap(\.self)) } catch { throw .tooManyAttempts(retryAfter: error.retryAfter) }
    }
}
