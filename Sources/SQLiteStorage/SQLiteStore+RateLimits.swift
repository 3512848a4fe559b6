public import ActionCodes
public import Mail

extension SQLiteStore {
    /// As the protocol says.
    public func rateLimitBuckets() async throws(StoreError) -> [RateLimitBucket] {
        try await readers.read { transaction throws(StoreError) in try transaction.rateLimitBuckets() }
    }

    /// As the protocol says; all buckets are one transaction.
    public func saveRateLimitBuckets(_ buckets: [RateLimitBucket]) async throws(StoreError) {
        if buckets.isEmpty { return }
        try await writer.write { transaction throws(StoreError) in
            for bucket in buckets { try transaction.save(bucket) }
        }
    }
}
