import Platform
import Testing

@testable import Mail

@Suite struct RetryScheduleTests {
    let schedule = RetrySchedule()
    let now = UnixTime(seconds: 1_000_000)

    @Test(arguments: [
        (RetrySchedule.Cause.unreachable, 1, 2.0, 4.0), (.unreachable, 2, 4, 8), (.unreachable, 5, 32, 64), (.unreachable, 9, 300, 600),
        (.unreachable, 1000, 300, 600), (.unreachable, 0, 2, 4), (.deferred, 1, 30, 60), (.deferred, 2, 60, 120), (.deferred, 4, 240, 480),
        (.deferred, 5, 300, 600), (.deferred, .max, 300, 600),
    ])
    func waits(_ cause: RetrySchedule.Cause, _ attempts: Int, _ least: Double, _ most: Double) {
        let expiry = now + .seconds(86_400)
        let first = schedule.decide(after: attempts, cause: cause, now: now, expiresAt: expiry, random: 0)
        let last = schedule.decide(after: attempts, cause: cause, now: now, expiresAt: expiry, random: 1)
        #expect(first == .retry(at: now + .milliseconds(Int64(least * 1000))))
        #expect(last == .retry(at: now + .milliseconds(Int64(most * 1000))))
    }

    @Test func movesTheLastAttemptBeforeTheExpiryOnce() {
        let expiry = now + .seconds(120)
        let lastCall = expiry - .seconds(60)
        #expect(schedule.decide(after: 3, cause: .deferred, now: now, expiresAt: expiry, random: 0.5) == .retry(at: lastCall))
        #expect(
            schedule.decide(after: 4, cause: .deferred, now: lastCall, expiresAt: expiry, random: 0.5)
                == .giveUp(reason: "no time left before the code expires"))
        #expect(schedule.decide(after: 1, cause: .deferred, now: expiry, expiresAt: expiry, random: 0) != .retry(at: expiry))
    }

    @Test func neverGoesBeyondTheExpiry() {
        for cause in [RetrySchedule.Cause.unreachable, .deferred] {
            for life in 0..<900 {
                var time = now
                var attempts = 1
                let expiry = now + .seconds(life)
                while case .retry(let at) = schedule.decide(after: attempts, cause: cause, now: time, expiresAt: expiry, random: 0.3) {
                    #expect(at > time && at <= expiry - .seconds(60))
                    time = at
                    attempts += 1
                    guard attempts < 20 else { break }
                }
                #expect(attempts < 20)
            }
        }
    }
}
