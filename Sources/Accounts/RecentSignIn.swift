public import Platform

/// The rule that a person who changes what an account is entered by, or deletes it, has signed in a short while ago: whoever finds an
/// unlocked phone, or a stolen token, cannot take the account over with it.
public enum RecentSignIn {
    /// How long a sign-in counts as recent. Firebase documents five minutes.
    public static let limit: Duration = .seconds(300)

    /// Whether the sign-in behind `claims` counts. An anonymous account cannot sign in again, and holds nothing yet that somebody could
    /// take over, so its sign-in always does.
    public static func isRecent(_ claims: IDTokenClaims, of user: User, now: UnixTime) -> Bool {
        user.isAnonymous || now - claims.authTime <= limit
    }
}
