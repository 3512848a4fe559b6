public import Platform

/// When a mail that did not get through is tried again: exponential back-off with jitter, within the life of its code.
///
/// The wait after attempt n is drawn from `step ..< 2 × step`, where `step` = `first` × 2ⁿ⁻¹, at most `longest` / 2. With the defaults:
///
/// | attempts so far | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 and more |
/// |---|---|---|---|---|---|---|---|---|---|
/// | unreachable (`first` 2 s) | 2–4 s | 4–8 s | 8–16 s | 16–32 s | 32–64 s | 1–2 min | 2–4 min | 4–9 min | 5–10 min |
/// | deferred (`first` 30 s) | 30–60 s | 1–2 min | 2–4 min | 4–8 min | 5–10 min | 5–10 min | … | | |
/// | operator must act (`first` 1 min) | 1–2 min | 2–4 min | 4–8 min | 5–10 min | 5–10 min | … | | | |
///
/// An attempt that would fall into the last minute before the code expires, or behind it, is moved to a minute before the expiry, so that the
/// reader still has time; when that moment is less than `first` away, the mail is given up.
public struct RetrySchedule: Sendable {
    /// What came in the way.
    public enum Cause: Sendable, Equatable {
        /// The server could not be used: soon again.
        case unreachable
        /// The server asked for patience (4yz), most often greylisting: later.
        case deferred
        /// The receiver rejects us as a sender, until the operator has acted: much later.
        case operatorMustAct
    }

    /// What to do.
    public enum Decision: Sendable, Equatable {
        /// Try again at that time, not before.
        case retry(at: UnixTime)
        /// There is no time left; the reason as an operator reads it.
        case giveUp(reason: String)
    }

    /// The shortest wait after the first attempt found no server. Default 2 s.
    public var firstUnreachable: Duration
    /// The shortest wait after the first attempt was deferred. Default 30 s.
    public var firstDeferred: Duration
    /// The shortest wait after the receiver rejected the sender. Default 1 min.
    public var firstOperatorMustAct: Duration
    /// No wait is longer. Default 10 min.
    public var longest: Duration
    /// How long before the expiry the last attempt is made. Default 1 min.
    public var lastCall: Duration

    /// Makes a schedule.
    public init(
        firstUnreachable: Duration = .seconds(2), firstDeferred: Duration = .seconds(30),
        firstOperatorMustAct: Duration = .seconds(60), longest: Duration = .seconds(600), lastCall: Duration = .seconds(60)
    ) {
        self.firstUnreachable = firstUnreachable
        self.firstDeferred = firstDeferred
        self.firstOperatorMustAct = firstOperatorMustAct
        self.longest = longest
        self.lastCall = lastCall
    }

    /// Decides after a failed attempt.
    ///
    /// - Parameters:
    ///   - attempts: how many were made, this one included; at least 1.
    ///   - random: drawn from 0 ..< 1.
    public func decide(after attempts: Int, cause: Cause, now: UnixTime, expiresAt: UnixTime, random: Double) -> Decision {
        let next = now + wait(after: attempts, cause: cause, random: random)
        let lastCall = expiresAt - lastCall
        if next <= lastCall { return .retry(at: next) }
        if lastCall >= now + first(cause) { return .retry(at: lastCall) }
        return .giveUp(reason: "no time left before the code expires")
    }

    /// How long to wait after so many attempts.
    func wait(after attempts: Int, cause: Cause, random: Double) -> Duration {
        // 2³⁰ times the first wait is beyond every `longest`; more would only overflow.
        let grown = first(cause) * (1 << min(max(attempts, 1) - 1, 30))
        let step = min(grown, longest / 2)
        return step + .milliseconds(Int64(step.fractionalSeconds * 1000 * min(max(random, 0), 1)))
    }

    private func first(_ cause: Cause) -> Duration {
        switch cause {
        case .unreachable: firstUnreachable
        case .deferred: firstDeferred
        case .operatorMustAct: firstOperatorMustAct
        }
    }
}
