import ActionCodes
import TestSupport
import Testing

@Suite struct RateLimitConformanceTests {
    private func bucket(_ place: Int, fullAt: Int64 = 1_796_000_000_000_000_001) -> RateLimitBucket {
        RateLimitBucket(
            place: place, key: UInt128.max / 3 - UInt128(place), fullAt: fullAt, interval: 180_000_000_000, count: 5 + Int64(place))
    }

    private func saved(_ store: any Store) async throws -> [RateLimitBucket] {
        try await store.rateLimitBuckets().sorted { $0.place < $1.place }
    }

    @Test(arguments: StoreKind.allCases)
    func bucketsComeBackAsTheyWere(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            #expect(try await saved(store).isEmpty)
            try await store.saveRateLimitBuckets([])
            var extremes = bucket(RateLimiter.capacity - 1)
            extremes.key = .max
            extremes.fullAt = .max
            extremes.count = .max
            extremes.interval = .max
            var least = bucket(0)
            least.key = 1
            let buckets = [least, bucket(1), bucket(7), extremes]
            try await store.saveRateLimitBuckets(buckets.reversed())
            #expect(try await saved(store) == buckets)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPlaceHoldsOneBucketTheLast(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.saveRateLimitBuckets([bucket(1), bucket(2)])
            var other = bucket(2, fullAt: 5)
            other.key = 77
            try await store.saveRateLimitBuckets([other, bucket(3)])
            #expect(try await saved(store) == [bucket(1), other, bucket(3)])
        }
    }
}
