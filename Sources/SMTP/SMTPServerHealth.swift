/// The circuit breaker of one mail server: a server that failed is left alone for a growing time and then probed by one mail.
///
/// A pure value; times and random numbers come in.
struct SMTPServerHealth: Sendable {
    enum State: Sendable, Equatable {
        /// To be used.
        case good
        /// To be left alone until then.
        case failed(until: ContinuousClock.Instant)
        /// One mail is on its way to find out.
        case probing
    }

    /// How a server failed.
    enum Failure: Sendable {
        /// No connection came about while no other was open.
        case opening
        /// A connection in use broke off, or one more than those that are open did not come about: this happens to good servers, too.
        case passing
    }

    /// So many passing failures in a row are no accident.
    static let threshold = 3
    /// The shortest wait after the first failure.
    static let first = Duration.seconds(2)
    /// No wait is longer.
    static let longest = Duration.seconds(120)

    private(set) var state = State.good
    /// How many failures in a row.
    private(set) var failures = 0
    private var openings = 0

    /// Whether a mail may go there now.
    func isAvailable(now: ContinuousClock.Instant) -> Bool {
        switch state {
        case .good: true
        case .failed(let until): now >= until
        case .probing: false
        }
    }

    /// A mail goes there. Gives whether it is a probe.
    mutating func started() -> Bool {
        guard case .failed = state else { return false }
        state = .probing
        return true
    }

    /// The server answered a transaction. Gives whether that ended a failure.
    mutating func answered() -> Bool {
        failures = 0
        openings = 0
        defer { state = .good }
        return state != .good
    }

    /// The mail that went there to find out came back without an answer either way.
    mutating func probeLost(now: ContinuousClock.Instant) {
        if state == .probing { state = .failed(until: now) }
    }

    /// The server failed. Gives whether it is left alone from now on, and was not before.
    mutating func failed(_ failure: Failure, now: ContinuousClock.Instant, random: Double) -> Bool {
        failures += 1
        switch (state, failure) {
        case (.good, .passing) where failures < Self.threshold:
            return false
        case (.failed(let until), _) where now < until:
            // A mail that was under way when another opened the circuit.
            return false
        case (let before, _):
            let step = min(Self.first * (1 << min(openings, 16)), Self.longest / 2)
            openings += 1
            state = .failed(until: now + step + step * min(max(random, 0), 1))
            return before == .good
        }
    }
}
