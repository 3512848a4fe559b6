public import Mail

/// Where token buckets outlive a restart.
public protocol RateLimitStore: Sendable {
    /// Every bucket that was saved, one a place, in no order.
    func rateLimitBuckets() async throws(StoreError) -> [RateLimitBucket]

    /// Saves buckets, each in place of what its place held before; all or none.
    func saveRateLimitBuckets(_ buckets: [RateLimitBucket]) async throws(StoreError)
}
