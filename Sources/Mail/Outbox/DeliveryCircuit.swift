internal import Platform

/// Keeps a dead mail server from costing every waiting mail an attempt: opens when as many deliveries in a row as there are lanes found no
/// server, and then lets one mail through from time to time until one gets an answer.
///
/// A pure value; times and random numbers come in.
struct DeliveryCircuit {
    enum State: Equatable {
        /// Everything may go.
        case closed
        /// Nothing may go before that time.
        case open(until: UnixTime)
        /// One mail is on its way to find out.
        case probing
    }

    private(set) var state = State.closed
    /// How many deliveries in a row found no server.
    private(set) var failures = 0
    private var openings = 0
    private let threshold: Int
    private let schedule: RetrySchedule

    /// `threshold`: how many failures in a row open it. The pauses are those of `schedule`, but never longer than a minute: a server that is
    /// back must not stand idle.
    init(threshold: Int, schedule: RetrySchedule) {
        self.threshold = max(1, threshold)
        var schedule = schedule
        schedule.longest = min(schedule.longest, .seconds(60))
        self.schedule = schedule
    }

    /// How many mails may go now, of `limit` that could.
    func allowance(now: UnixTime, limit: Int) -> Int {
        switch state {
        case .closed: limit
        case .open(let until): now >= until ? min(1, limit) : 0
        case .probing: 0
        }
    }

    /// A mail goes out.
    mutating func started() {
        if case .open = state { state = .probing }
    }

    /// The mail that went out to find out came back without an answer either way.
    mutating func probeLost(now: UnixTime) {
        if state == .probing { state = .open(until: now) }
    }

    /// The server answered. Gives whether that closed the circuit.
    mutating func answered() -> Bool {
        failures = 0
        openings = 0
        defer { state = .closed }
        return state != .closed
    }

    /// No server was found. Gives whether that opened the circuit, or opened it again.
    mutating func unreachable(now: UnixTime, random: Double) -> Bool {
        failures += 1
        switch state {
        case .closed where failures >= threshold, .probing:
            openings += 1
            state = .open(until: now + schedule.wait(after: openings, cause: .unreachable, random: random))
            return true
        case .closed, .open:
            return false
        }
    }
}
