public import Platform

/// What happens to an account when somebody proves to receive mail at its address.
public enum OwnershipProof {
    /// Marks the address of `user` as verified. On the first proof, everything that was attached to the account without one goes.
    ///
    /// Anybody can make an account with a stranger's address and wait. So the first proof removes password, linked providers and phone
    /// number, and refuses ID tokens made before `now` (whole seconds); gives true when the caller must end the account's sessions too,
    /// in the same transaction and before it starts a new one. On later proofs nothing changes and the answer is false.
    ///
    /// For the account that owns the proved address; an account that is only now being given the address was not made under it.
    public static func apply(to user: inout User, now: UnixTime) -> Bool {
        guard !user.emailVerified else { return false }
        user.passwordHash = nil
        user.passwordUpdatedAt = nil
        user.federatedProviders = []
        user.phoneNumber = nil
        user.endTokens(at: now)
        user.emailVerified = true
        return true
    }
}
