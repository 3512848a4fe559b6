/// The names that sessions and ID tokens have for ways to sign in, `sign_in_provider` on the wire.
public enum SignInProvider {
    /// An address, proved by its password or by a link sent to it.
    public static let password = "password"
    /// No proof at all: an account that lives as long as its session.
    public static let anonymous = "anonymous"
}
