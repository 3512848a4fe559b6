internal import Platform
internal import Synchronization

/// The mail servers in the order of the configuration, what is known about each, and who uses which.
///
/// A mail goes to the first server that is available. The lane with number n uses servers with more than n connections.
final class SMTPServerPool: Sendable {
    private struct Member {
        var health = SMTPServerHealth()
        var links = 0
        var lastFailure: UnixTime?
        var reason: String?
    }

    let servers: [SMTPServer]
    /// One more than the highest number of a lane.
    let lanes: Int
    private let members: Mutex<[Member]>
    private let logger: Logger
    private let clock: WallClock
    private let random: @Sendable () -> Double
    private let failureCounters: [Metrics.Counter]

    /// `servers` has at least one.
    init(_ servers: [SMTPServer], metrics: Metrics, logger: Logger, clock: WallClock, random: @escaping @Sendable () -> Double) {
        precondition(!servers.isEmpty, "mail goes to a server")
        self.servers = servers
        self.lanes = servers.map(\.connections).max() ?? 1
        self.members = Mutex(servers.map { _ in Member() })
        self.logger = logger
        self.clock = clock
        self.random = random
        self.failureCounters = servers.map { server in
            metrics.counter(
                "postern_smtp_failures_total", help: "Times that a mail server could not be used.", labels: [("server", server.label)])
        }
        for (index, server) in servers.enumerated() {
            metrics.gauge(
                "postern_smtp_server_up", help: "Whether mails go to a mail server (1) or it is left alone after a failure (0).",
                labels: [("server", server.label)]
            ) { [weak self] in self?.members.withLock { $0[index].health.state == .good } == true ? 1 : 0 }
            metrics.gauge("postern_smtp_connections", help: "Open connections to a mail server.", labels: [("server", server.label)]) {
                [weak self] in Double(self?.members.withLock { $0[index].links } ?? 0)
            }
        }
    }

    /// How each server is doing, in their order.
    var statuses: [SMTPServerStatus] {
        members.withLock { members in
            zip(servers, members).map { server, member in
                SMTPServerStatus(
                    server: server.label, isGood: member.health.state == .good, consecutiveFailures: member.health.failures,
                    lastFailure: member.lastFailure, lastFailureReason: member.reason, connections: member.links)
            }
        }
    }

    // MARK: Choosing

    /// The server for a mail of a lane, other than those in `tried`; nil when there is none worth a try. With nothing tried yet there always
    /// is one: where all are left alone, the one whose time comes first is tried anyway, since the outbox decides when to stop trying.
    func choose(lane: Int, tried: Set<Int>) -> Int? {
        let now = ContinuousClock.now
        return members.withLock { members in
            if let index = firstAvailable(members, lane: lane, tried: tried, now: now) {
                _ = members[index].health.started()
                return index
            }
            guard tried.isEmpty else { return nil }
            return members.indices.filter { servers[$0].connections > lane }.min { Self.time(members[$0]) < Self.time(members[$1]) }
        }
    }

    private func firstAvailable(_ members: [Member], lane: Int, tried: Set<Int>, now: ContinuousClock.Instant) -> Int? {
        members.indices.first { servers[$0].connections > lane && !tried.contains($0) && members[$0].health.isAvailable(now: now) }
    }

    private static func time(_ member: Member) -> ContinuousClock.Instant {
        // One that is being probed will be known soon: better to wait for that than to add a second probe.
        if case .failed(let until) = member.health.state { until } else { .now + SMTPServerHealth.longest * 2 }
    }

    /// Whether a server before `index` is to be used by a lane, or probed.
    func hasBetter(than index: Int, lane: Int) -> Bool {
        guard index > 0 else { return false }
        let now = ContinuousClock.now
        return members.withLock { members in
            members.indices.prefix(index).contains { servers[$0].connections > lane && members[$0].health.isAvailable(now: now) }
        }
    }

    /// Whether another server than those in `tried` is worth a try.
    func hasAnother(lane: Int, tried: Set<Int>) -> Bool {
        guard tried.count < servers.count else { return false }
        let now = ContinuousClock.now
        return members.withLock { firstAvailable($0, lane: lane, tried: tried, now: now) != nil }
    }

    /// Whether a lane should leave the mails to others: its own servers are left alone while one that it may not use is good.
    func isIdle(lane: Int) -> Bool {
        guard lane > 0, servers.count > 1 else { return false }
        let now = ContinuousClock.now
        return members.withLock { members in
            firstAvailable(members, lane: lane, tried: [], now: now) == nil && members.contains { $0.health.state == .good }
        }
    }

    // MARK: Learning

    func opened(_ index: Int) { members.withLock { $0[index].links += 1 } }
    func closed(_ index: Int) { members.withLock { $0[index].links -= 1 } }

    /// The server answered a transaction.
    func answered(_ index: Int) {
        if members.withLock({ $0[index].health.answered() }) {
            logger.info("mail server found again", [("server", servers[index].label)])
        }
    }

    /// Nothing was learned, because the process stops or the mail could not go there.
    func released(_ index: Int) {
        members.withLock { $0[index].health.probeLost(now: .now) }
    }

    /// The server could not be used.
    func failed(_ index: Int, opening: Bool, reason: String) {
        failureCounters[index].add()
        let now = clock.now()
        let isNews = members.withLock { members in
            members[index].lastFailure = now
            members[index].reason = reason
            let failure: SMTPServerHealth.Failure = opening && members[index].links == 0 ? .opening : .passing
            return members[index].health.failed(failure, now: .now, random: random())
        }
        if isNews { logger.error("mail server fails", [("server", servers[index].label), ("reason", reason)]) }
    }
}
