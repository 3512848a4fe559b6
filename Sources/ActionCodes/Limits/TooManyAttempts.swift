/// A request came too early: at least one of its buckets is empty, and none has lost a token.
public struct TooManyAttempts: Error, Sendable, Equatable {
    /// How long until all of them have one, if nobody else takes it.
    public var retryAfter: Duration

    /// Makes the refusal.
    public init(retryAfter: Duration) {
        self.retryAfter = retryAfter
    }
}
