public import Platform

/// How the outbox is doing, for readiness checks and pages for operators.
public struct OutboxStatus: Sendable, Equatable {
    /// When a server last answered a delivery, whatever it said.
    public internal(set) var lastSuccess: UnixTime?
    /// When a delivery last found no server.
    public internal(set) var lastFailure: UnixTime?
    /// Why.
    public internal(set) var lastFailureReason: String?
    /// How many deliveries in a row found no server.
    public internal(set) var consecutiveFailures = 0
    /// Whether mails wait because no server was found.
    public internal(set) var isPaused = false
    /// What the store said when it last failed, until it works again.
    public internal(set) var storeFailure: String?
    /// Where we are rejected as a sender, which the operator has to mend; those mails wait, the others go on.
    public internal(set) var rejectedSenders: [RejectedSender] = []

    /// Whether mails that are accepted now go out now, as far as is known.
    public var isHealthy: Bool { !isPaused && storeFailure == nil && rejectedSenders.isEmpty }
}
