import Testing

@testable import ActionCodes

@Suite struct GCRATests {
    private static let second: Int64 = 1_000_000_000
    private let now: Int64 = 1_796_000_000 * second

    /// Takes as often as it can at one moment; gives how often, and when the bucket is full.
    private func drain(_ rule: GCRA, fullAt: Int64 = .min, now: Int64) -> (taken: Int, fullAt: Int64) {
        var fullAt = fullAt
        var taken = 0
        while taken < 100_000, rule.wait(fullAt: fullAt, now: now) == 0 {
            fullAt = rule.taking(fullAt: fullAt, now: now)
            taken += 1
        }
        return (taken, fullAt)
    }

    @Test(arguments: [
        (1, Duration.seconds(1)), (5, .seconds(900)), (7, .seconds(900)), (60, .seconds(900)), (10_000, .seconds(3600)),
        (1, .seconds(30 * 86_400)), (3, .seconds(1)), (99_999, .seconds(1)),
    ])
    func aFullBucketHoldsItsCountAndFillsInItsPeriod(_ count: Int, _ period: Duration) {
        let rule = GCRA(RateLimit(count: count, period: period))
        let (taken, fullAt) = drain(rule, now: now)
        #expect(taken == count)
        // Rounding may add a nanosecond a token and takes none away.
        let nanoseconds = period.components.seconds * Self.second
        #expect((nanoseconds...nanoseconds + Int64(count)).contains(fullAt - now))
        #expect(drain(rule, fullAt: fullAt, now: fullAt).taken == count)
    }

    /// Each row: seconds since the last one, and whether a token is there, for 3 in 30 s.
    @Test func tokensComeBackOneByOne() {
        let rule = GCRA(RateLimit(count: 3, period: .seconds(30)))
        var fullAt = Int64.min
        var time = now
        for (wait, isThere) in [
            (0, true), (0, true), (0, true), (0, false), (9, false), (1, true), (0, false), (25, true), (0, true), (0, false), (5, true),
            (0, false), (1000, true), (0, true), (0, true), (0, false),
        ] as [(Int64, Bool)] {
            time += wait * Self.second
            #expect((rule.wait(fullAt: fullAt, now: time) == 0) == isThere, "at \((time - now) / Self.second)")
            if isThere { fullAt = rule.taking(fullAt: fullAt, now: time) }
        }
    }

    @Test func theWaitIsExact() {
        let rule = GCRA(RateLimit(count: 5, period: .seconds(900)))
        let fullAt = drain(rule, now: now).fullAt
        #expect(rule.wait(fullAt: fullAt, now: now) == 180 * Self.second)
        #expect(rule.wait(fullAt: fullAt, now: now + 180 * Self.second - 1) == 1)
        #expect(rule.wait(fullAt: fullAt, now: now + 180 * Self.second) == 0)
    }

    @Test func nothingIsMoreThanEmpty() {
        let rule = GCRA(RateLimit(count: 5, period: .seconds(900)))
        // A clock that was set back by a day, or a limit that was for 30 days until now.
        let fullAt = now + 86_400 * Self.second
        #expect(rule.wait(fullAt: fullAt, now: now) == 180 * Self.second)
        #expect(rule.returning(fullAt: fullAt, now: now) == now + 720 * Self.second)
    }

    @Test func whatIsReturnedCanBeTakenAgain() {
        let rule = GCRA(RateLimit(count: 2, period: .seconds(10)))
        let fullAt = drain(rule, now: now).fullAt
        #expect(drain(rule, fullAt: rule.returning(fullAt: fullAt, now: now), now: now).taken == 1)
        // Never more than full.
        #expect(rule.returning(fullAt: .min, now: now) == now)
        #expect(drain(rule, fullAt: rule.returning(fullAt: now + 1, now: now), now: now).taken == 2)
    }

    @Test func theLargestAndTheSmallestDoNotOverflow() {
        let many = GCRA(RateLimit(count: RateLimit.counts.upperBound, period: RateLimit.periods.lowerBound))
        #expect(many.interval == 1 && many.span == 1_000_000_000)
        let few = GCRA(RateLimit(count: RateLimit.counts.upperBound, period: RateLimit.periods.upperBound))
        #expect(few.wait(fullAt: .max, now: now) > 0 && few.taking(fullAt: .max, now: now) > now)
        #expect(GCRA(interval: 0, count: 0) == GCRA(interval: 1, count: 1))
        #expect(GCRA(interval: .max, count: .max).wait(fullAt: .min, now: now) == 0)
    }
}
