/// A token bucket as it is stored: it holds no address and no project, only a keyed hash of what it counts.
public struct RateLimitBucket: Sendable, Equatable {
    /// Where the bucket lies; 0 to `RateLimiter.capacity - 1`. Buckets follow one another in a place.
    public var place: Int
    /// What it counts, hashed; 16 bytes.
    public var key: UInt128
    /// When it is full again, in nanoseconds since 1970.
    public var fullAt: Int64
    /// The time in which one token comes back, in nanoseconds.
    public var interval: Int64
    /// How many tokens it has when it is full.
    public var count: Int64

    /// Takes a bucket's values.
    public init(place: Int, key: UInt128, fullAt: Int64, interval: Int64, count: Int64) {
        self.place = place
        self.key = key
        self.fullAt = fullAt
        self.interval = interval
        self.count = count
    }
}
