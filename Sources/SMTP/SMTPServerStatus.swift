public import Platform

/// How one mail server is doing, for readiness checks and pages for operators.
public struct SMTPServerStatus: Sendable, Equatable {
    /// `host:port`.
    public let server: String
    /// Whether mails go there, as far as its place in the list lets them.
    public let isGood: Bool
    /// How many failures in a row.
    public let consecutiveFailures: Int
    /// When it last failed.
    public let lastFailure: UnixTime?
    /// Why, in one line without secrets.
    public let lastFailureReason: String?
    /// How many connections are open.
    public let connections: Int
}
