import Testing

@testable import SMTP

@Suite struct SMTPServerHealthTests {
    private let now = ContinuousClock.now

    @Test func waitsLongerAfterEachFailureButNeverTooLong() {
        var health = SMTPServerHealth()
        var time = now
        for wait in [2, 4, 8, 16, 32, 60, 60] {
            #expect(health.isAvailable(now: time))
            _ = health.started()
            _ = health.failed(.opening, now: time, random: 0)
            #expect(!health.isAvailable(now: time + .seconds(wait) - .milliseconds(1)))
            time += .seconds(wait)
        }
        _ = health.started()
        _ = health.failed(.opening, now: time, random: 1)
        #expect(health.state == .failed(until: time + SMTPServerHealth.longest))
    }

    @Test func oneMailFindsOut() {
        var health = SMTPServerHealth()
        do {
            let result = health.failed(.opening, now: now, random: 0)
            #expect(result, "the first failure is news")
        }
        do {
            let result = health.failed(.opening, now: now, random: 0)
            #expect(!result, "that of a mail which was under way is not")
        }
        let later = now + .seconds(2)
        do {
            let result = health.started()
            #expect(result, "a probe")
        }
        #expect(!health.isAvailable(now: later), "one is enough")
        health.probeLost(now: later)
        #expect(health.isAvailable(now: later))
        do {
            let result = health.started()
            #expect(result)
        }
        do {
            let result = health.answered()
            #expect(result, "good again")
        }
        #expect(health.state == .good && health.failures == 0)
        do {
            let result = health.started()
            #expect(!result)
        }
    }

    @Test func aPassingFailureIsForgiven() {
        var health = SMTPServerHealth()
        for _ in 1..<SMTPServerHealth.threshold {
            do {
                let result = health.failed(.passing, now: now, random: 0)
                #expect(!result)
            }
        }
        #expect(health.isAvailable(now: now))
        _ = health.answered()
        for _ in 1..<SMTPServerHealth.threshold {
            do {
                let result = health.failed(.passing, now: now, random: 0)
                #expect(!result)
            }
        }
        do {
            let result = health.failed(.passing, now: now, random: 0)
            #expect(result)
        }
        #expect(!health.isAvailable(now: now))
    }
}
