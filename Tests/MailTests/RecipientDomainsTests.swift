import Testing

@testable import Mail

@Suite struct RecipientDomainsTests {
    private let now = ContinuousClock.now

    /// How many lanes a domain gets that has finished some deliveries.
    private func allowance(lanes: Int, finished durations: [Double]) -> Int {
        var domains = RecipientDomains(lanes: lanes)
        for duration in durations {
            domains.started("a.example", now: now)
            domains.finished("a.example", took: .milliseconds(Int64(duration * 1000)), now: now)
        }
        var count = 0
        while count < 100, domains.mayStart("a.example") {
            domains.started("a.example", now: now)
            count += 1
        }
        #expect(domains.mayStart("b.example"), "another domain is not concerned")
        return count
    }

    @Test(arguments: [(1, 1, 1, 1), (2, 1, 2, 1), (4, 2, 3, 1), (8, 4, 7, 2), (16, 8, 15, 4)])
    func limitsADomain(_ lanes: Int, _ unknown: Int, _ quick: Int, _ slow: Int) {
        #expect(allowance(lanes: lanes, finished: []) == unknown)
        #expect(allowance(lanes: lanes, finished: [0.1, 0.1, 0.1, 0.1]) == quick)
        #expect(allowance(lanes: lanes, finished: [5]) == slow)
        #expect(allowance(lanes: lanes, finished: [0.1, 0.1, 0.1, 0.1, 10]) == slow)
    }

    @Test func aDomainThatHasBecomeQuickAgainIsTrustedAgain() {
        #expect(allowance(lanes: 8, finished: [5] + [Double](repeating: 0.01, count: 8)) == 7)
    }

    @Test func isForgottenAfterAWhile() {
        var domains = RecipientDomains(lanes: 8)
        domains.started("a.example", now: now)
        domains.finished("a.example", took: .seconds(9), now: now)
        #expect(!domains.isQuick("a.example"))
        let later = now + RecipientDomains.memory + .seconds(1)
        for _ in 0..<4 { domains.started("a.example", now: later) }
        #expect(!domains.mayStart("a.example"), "four of eight: nothing is known any more")
    }

    @Test func whatWasAbandonedHoldsNoLane() {
        var domains = RecipientDomains(lanes: 1)
        domains.started("a.example", now: now)
        #expect(!domains.mayStart("a.example"))
        domains.abandoned("a.example")
        #expect(domains.mayStart("a.example"))
    }
}
