/// How many lanes the mails to one domain may hold, so that a domain that is slow never has them all.
///
/// | what is known of the domain | lanes of 1, 2, 4, 8 |
/// |---|---|
/// | nothing yet, or not for ten minutes | 1, 1, 2, 4 |
/// | its last deliveries took less than a second | 1, 2, 3, 7 |
/// | they took longer | 1, 1, 1, 2 |
///
/// A pure value; times come in.
struct RecipientDomains {
    private struct Domain {
        var busy = 0
        /// Of the last deliveries, a moving average.
        var duration = Duration.zero
        var finished = 0
        var lastFinish: ContinuousClock.Instant?
        /// When a mail was last finished, or the first of those under way was started.
        var lastProgress: ContinuousClock.Instant?
    }

    /// So many quick deliveries show that a domain is quick.
    static let proof = 4
    /// A delivery that takes longer is slow.
    static let slow = Duration.seconds(1)
    /// After so long without a delivery while it has all the lanes that it may have, a domain is stuck.
    static let patience = Duration.milliseconds(500)
    /// For how long a domain is remembered.
    static let memory = Duration.seconds(600)
    /// More domains than this are not remembered.
    private static let limit = 10_000

    private let lanes: Int
    private var domains: [String: Domain] = [:]

    init(lanes: Int) {
        self.lanes = lanes
    }

    func mayStart(_ domain: String) -> Bool {
        guard let known = domains[domain] else { return true }
        return known.busy < allowance(known)
    }

    /// Whether there is no point in having more mails to this domain at hand.
    func isStuck(_ domain: String, now: ContinuousClock.Instant) -> Bool {
        guard let known = domains[domain], known.busy >= allowance(known) else { return false }
        if known.finished > 0, known.duration >= Self.slow { return true }
        return known.lastProgress.map { now - $0 >= Self.patience } ?? false
    }

    private func allowance(_ domain: Domain) -> Int {
        if domain.finished > 0, domain.duration >= Self.slow { return max(1, lanes / 4) }
        if domain.finished >= Self.proof { return lanes < 4 ? lanes : lanes - 1 }
        return max(1, lanes / 2)
    }

    /// Whether a lane that has a mail to this domain may take another along: the domain has shown that it is quick.
    func isQuick(_ domain: String) -> Bool {
        domains[domain].map { $0.finished >= Self.proof && $0.duration < Self.slow } ?? false
    }

    mutating func started(_ domain: String, now: ContinuousClock.Instant) {
        if let last = domains[domain]?.lastFinish, domains[domain]?.busy == 0, now - last > Self.memory { domains[domain] = nil }
        if domains[domain] == nil, domains.count >= Self.limit { domains = domains.filter { $0.value.busy > 0 } }
        domains[domain, default: Domain()].busy += 1
        if domains[domain]?.busy == 1 { domains[domain]?.lastProgress = now }
    }

    mutating func finished(_ domain: String, took duration: Duration, now: ContinuousClock.Instant) {
        guard var known = domains[domain] else { return }
        known.busy -= 1
        known.duration = known.finished == 0 ? duration : (known.duration * 3 + duration) / 4
        known.finished = min(known.finished + 1, Self.proof)
        known.lastFinish = now
        known.lastProgress = now
        domains[domain] = known
    }

    /// A delivery that ended without telling anything about the domain.
    mutating func abandoned(_ domain: String) {
        domains[domain]?.busy -= 1
    }
}
