import Mail
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct RateLimiterTests {
    private let clock = ManualClock()
    private let metrics = Metrics()
    private let limiter: RateLimiter
    private let five = RateLimit(count: 5, period: .seconds(900))

    init() { limiter = RateLimiter(keys: .example, metrics: metrics, clock: clock.wallClock) }

    private func demand(_ subject: RateLimitSubject, _ kind: RateLimitKind = .mailsToAddress, project: String = "example") throws
        -> RateLimitDemand
    {
        try #require(RateLimitDemand(kind, of: subject, project: project, limit: five))
    }

    /// How often a token of all these is there.
    private func count(_ demands: [RateLimitDemand], in limiter: RateLimiter? = nil) -> Int {
        (0..<50).prefix { _ in (try? (limiter ?? self.limiter).take(demands)) != nil }.count
    }

    @Test func aLimitHoldsAndComesBack() throws {
        let anna = [try demand(.address(.example("anna")))]
        #expect(count(anna) == 5)
        #expect(throws: TooManyAttempts(retryAfter: .seconds(180))) { try limiter.take(anna) }
        clock.advance(by: .milliseconds(179_999))
        #expect(throws: TooManyAttempts(retryAfter: .milliseconds(1))) { try limiter.take(anna) }
        clock.advance(by: .milliseconds(1))
        #expect(count(anna) == 1)
        clock.advance(by: .seconds(900))
        #expect(count(anna) == 5)
    }

    @Test func noLimitIsNoDemand() throws {
        #expect(RateLimitDemand(.mailsToAddress, of: .project, project: "example", limit: nil) == nil)
        _ = try limiter.take([])
        #expect(limiter.bucketCount == 0)
    }

    @Test func aRefusalTakesNothingAndLeavesNothing() throws {
        let anna = try demand(.address(.example("anna")))
        #expect(count([anna]) == 5)
        let berta = try demand(.address(.example("berta")), .mailsOfClient)
        #expect(limiter.bucketCount == 1)
        #expect(throws: TooManyAttempts.self) { try limiter.take([berta, anna]) }
        #expect(limiter.bucketCount == 1)
        #expect(count([berta]) == 5)
        // The longest wait counts, and each limit that was met.
        let quick = try #require(
            RateLimitDemand(.signUps, of: .project, project: "example", limit: RateLimit(count: 1, period: .seconds(1))))
        #expect(count([quick]) == 1)
        #expect(throws: TooManyAttempts(retryAfter: .seconds(180))) { try limiter.take([quick, anna]) }
        let text = metrics.render()
        // Each time that `count` was refused, and twice for the first.
        for line in [#"{kind="mails_to_address"} 3"#, #"{kind="sign_ups"} 2"#, #"{kind="mails_of_client"} 1"#, #"{kind="ways_back"} 0"#] {
            #expect(text.contains("postern_limit_refusals_total\(line)\n"), "\(line)\n\(text)")
        }
        #expect(text.contains("postern_limit_buckets 3\n"))
    }

    @Test func everySubjectCountsForItself() throws {
        let v4 = try #require(IPAddress("192.0.2.1"))
        let v6 = try #require(IPAddress("2001:db8:0:1::1"))
        var demands: [RateLimitDemand] = []
        for subject in [
            RateLimitSubject.project, .address(.example("anna")), .account("anna@example.com"), .client(v4), .client(v6), .client(nil),
            .client(IPAddress("192.0.2.2")), .client(IPAddress("2001:db8:0:2::1")), .clientAndAddress(v4, .example("anna")),
            .clientAndAddress(v6, .example("anna")), .clientAndAddress(nil, .example("anna")), .clientAndAddress(v4, .example("berta")),
        ] {
            demands.append(try demand(subject))
            demands.append(try demand(subject, .waysBack))
            demands.append(try demand(subject, project: "exampl"))
        }
        #expect(count(demands) == 5)
        #expect(limiter.bucketCount == demands.count)
    }

    /// An IPv6 host has a /64 for itself; an IPv4 address is the same however it is written.
    @Test(arguments: [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("::c000:201", "192.0.2.1", false),
    ])
    func clientsAreNetworks(_ one: String, _ other: String, _ same: Bool) throws {
        #expect(count([try demand(.client(IPAddress(one)))]) == 5)
        #expect(count([try demand(.client(IPAddress(other)))]) == (same ? 0 : 5))
    }

    @Test func whatIsGivenBackIsThereAgain() throws {
        let demands = [try demand(.address(.example("anna"))), try demand(.project)]
        for _ in 0..<50 { limiter.giveBack(try limiter.take(demands)) }
        #expect(limiter.bucketCount == 0)
        #expect(count(demands) == 5)
        // Nor does giving back what has come back already make more than full.
        clock.advance(by: .seconds(900))
        let tokens = try limiter.take(demands)
        clock.advance(by: .seconds(900))
        limiter.giveBack(tokens)
        #expect(count(demands) == 5)
    }

    @Test func aClockThatIsSetBackLocksNobodyOut() throws {
        let anna = [try demand(.address(.example("anna")))]
        #expect(count(anna) == 5)
        clock.advance(by: .seconds(-86_400))
        #expect(throws: TooManyAttempts(retryAfter: .seconds(180))) { try limiter.take(anna) }
        clock.advance(by: .seconds(900))
        #expect(count(anna) == 5)
    }

    /// Far more addresses than there is room for, each once: memory stays bounded, and neither empty buckets nor the project's are forgotten.
    @Test func aFloodDisplacesOnlyItself() throws {
        let limiter = RateLimiter(keys: .example, metrics: metrics, clock: clock.wallClock, table: BucketTable(sets: 64, ways: 24))
        let flood = 20_000
        let anna = try demand(.address(.example("anna")))
        let large = try #require(
            RateLimitDemand(
                .mailsOfProject, of: .project, project: "example", limit: RateLimit(count: flood + 100, period: .seconds(30 * 86_400))))
        #expect(count([anna], in: limiter) == 5)
        for _ in 0..<100 { _ = try limiter.take([large]) }
        for number in 0..<flood {
            _ = try limiter.take([demand(.account("\(number)")), large])
        }
        #expect((1400...64 * 24).contains(limiter.bucketCount))
        #expect(throws: TooManyAttempts.self) { try limiter.take([anna]) }
        #expect(throws: TooManyAttempts.self) { try limiter.take([large]) }
        // Those that came last are still known.
        #expect(count([try demand(.account("\(flood - 1)"))], in: limiter) == 4)
    }

    @Test func aRestartGoesOnAndARotationBeginsAnew() throws {
        let anna = [try demand(.address(.example("anna")))]
        #expect(count(anna) == 5)
        let saved = limiter.takeUnsaved(limit: 100)
        #expect(saved.count == 1)
        for (keys, expected) in [(KeyRing.example, 0), (.rotated, 5)] {
            let other = RateLimiter(keys: keys, metrics: Metrics(), clock: clock.wallClock)
            other.load(saved)
            #expect(count(anna, in: other) == expected)
        }
    }

    @Test func whatIsSavedNamesNobody() throws {
        _ = try limiter.take([try demand(.address(.example("anna")))])
        let other = RateLimiter(keys: .foreign, metrics: Metrics(), clock: clock.wallClock)
        _ = try other.take([try demand(.address(.example("anna")))])
        // Without the secret nobody can find out whether an address is among the keys.
        #expect(limiter.takeUnsaved(limit: 9).map(\.key) != other.takeUnsaved(limit: 9).map(\.key))
    }
}
