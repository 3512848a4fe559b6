extension Migration {
    /// Token buckets, by their place in the limiter's table: it has a bounded number of places, and so has this.
    static let rateLimits = Migration(
        version: 2,
        sql: """
            CREATE TABLE rate_limit_buckets (
                place INTEGER PRIMARY KEY,
                key BLOB NOT NULL,
                full_at INTEGER NOT NULL,
                interval INTEGER NOT NULL,
                count INTEGER NOT NULL
            );
            """)
}
