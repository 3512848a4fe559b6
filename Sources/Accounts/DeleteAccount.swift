internal import Mail
public import Platform

/// Deletes an account with its sessions (wire contract §13).
public struct DeleteAccount: Sendable {
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

    /// Deletes the account that an ID token belongs to.
    ///
    /// - Throws: `missingIDToken`, then as `IDTokenVerifier.verify` and `IDTokenClaims.user(in:)`, then `credentialTooOld`.
    public func delete(idToken: String?) async throws(AccountError) {
        guard let idToken, !idToken.isEmpty else { throw .missingIDToken }
        let now = clock.now()
        let claims = try verifier.verify(idToken, policy: policy, now: now)
        try await store.writing { transaction throws(StoreError) -> Result<Void, AccountError> in
            switch try claims.user(in: transaction) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let user):
                guard RecentSignIn.isRecent(claims, of: user, now: now) else { return .failure(.credentialTooOld) }
                _ = try transaction.deleteUser(id: user.id, project: user.projectID)
                return .success(())
            }
        }
    }

    /// Deletes the account with this id, for privileged callers.
    ///
    /// - Throws: `missingLocalID`, `userNotFound`.
    public func delete(userID: String?) async throws(AccountError) {
        guard let userID, !userID.isEmpty else { throw .missingLocalID }
        let project = policy.projectID
        try await store.writing { transaction throws(StoreError) in
            try transaction.deleteUser(id: userID, project: project) ? .success(()) : .failure(.userNotFound)
        }
    }
}
