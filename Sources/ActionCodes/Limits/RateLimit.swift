/// So many in so long, such as 5 in 15 minutes: the size of a token bucket and the time in which an empty one fills.
public struct RateLimit: Sendable, Hashable {
    /// How many; 1 to 1,000,000,000.
    public var count: Int
    /// In how long; a second to 30 days.
    public var period: Duration

    /// The counts that there may be.
    public static let counts = 1...1_000_000_000
    /// The periods that there may be.
    public static let periods = Duration.seconds(1)...Duration.seconds(30 * 86_400)

    /// Makes a limit.
    public init(count: Int, period: Duration) {
        self.count = count
        self.period = period
    }

    /// The same time for `factor` times as many.
    public func times(_ factor: Int) -> RateLimit {
        RateLimit(count: min(count * factor, Self.counts.upperBound), period: period)
    }
}
