internal import Platform

/// When a bucket refuses: the generic cell rate algorithm (ITU-T I.371), a token bucket that is one number, the time at which it is full again.
///
/// All times are nanoseconds, the ones that are moments since 1970.
struct GCRA: Sendable, Equatable {
    /// The time in which one token comes back; at least 1.
    let interval: Int64
    /// How many tokens there are.
    let count: Int64

    /// The rule of a limit. The interval is rounded up, so that nothing comes back too early.
    init(_ limit: RateLimit) {
        let period = limit.period / .nanoseconds(1)
        count = Int64(limit.count)
        interval = max(1, Int64((period / Double(count)).rounded(.up)))
    }

    /// The rule as it was stored; what no limit has is brought within bounds, so that nothing overflows.
    init(interval: Int64, count: Int64) {
        self.interval = min(max(1, interval), 30 * 86_400 * 1_000_000_000)
        self.count = max(1, count)
    }

    /// The time in which an empty bucket fills.
    var span: Int64 { interval.multipliedReportingOverflow(by: count).overflow ? .max / 4 : interval * count }

    /// How long until there is a token; 0 when there is one.
    func wait(fullAt: Int64, now: Int64) -> Int64 {
        max(0, bounded(fullAt, now) + interval - span - now)
    }

    /// When the bucket is full after one more token was taken.
    func taking(fullAt: Int64, now: Int64) -> Int64 {
        bounded(fullAt, now) + interval
    }

    /// When the bucket is full after one token was given back.
    func returning(fullAt: Int64, now: Int64) -> Int64 {
        max(now, bounded(fullAt, now) - interval)
    }

    /// No bucket is more than empty: a later time comes of a clock that was set back or a limit that was tightened.
    func bounded(_ fullAt: Int64, _ now: Int64) -> Int64 {
        min(max(fullAt, now), now + span)
    }
}
