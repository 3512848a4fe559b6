internal import ActionCodes
internal import Mail

extension SQLiteTransaction {
    func rateLimitBuckets() throws(StoreError) -> [RateLimitBucket] {
        try connection.rows("SELECT place, key, full_at, interval, count FROM rate_limit_buckets") { row throws(StoreError) in
            let key = row.blob(1)
            guard key.count == 16 else { throw .damaged("key of a token bucket") }
            return RateLimitBucket(
                place: row.int(0), key: key.reduce(0) { $0 << 8 | UInt128($1) }, fullAt: row.integer(2), interval: row.integer(3),
                count: row.integer(4))
        }
    }

    func save(_ bucket: RateLimitBucket) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO rate_limit_buckets (place, key, full_at, interval, count) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (place) DO UPDATE
            SET key = excluded.key, full_at = excluded.full_at, interval = excluded.interval, count = excluded.count
            """, bucket.place, (0..<16).reversed().map { UInt8(truncatingIfNeeded: bucket.key >> UInt128(8 * $0)) }, bucket.fullAt,
            bucket.interval, bucket.count)
    }
}
