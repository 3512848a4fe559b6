public import Crypto
public import Platform

/// Starts sessions.
public enum NewSession {
    /// A session that begins now, to be inserted by the caller, and the refresh token for the client.
    ///
    /// `provider` is one of `SignInProvider`, or another provider's name.
    public static func make(
        for user: User, provider: String, now: UnixTime, randomness: Randomness
    ) -> (session: Session, refreshToken: String) {
        make(for: user, provider: provider, now: now, token: .make(randomness))
    }

    /// The same with a token that was drawn before, as a transaction's body must that may run twice.
    public static func make(
        for user: User, provider: String, now: UnixTime, token: RefreshToken
    ) -> (session: Session, refreshToken: String) {
        let session = Session(
            tokenHash: token.hash, projectID: user.projectID, userID: user.id, signInProvider: provider, authTime: now)
        return (session, token.text)
    }
}
