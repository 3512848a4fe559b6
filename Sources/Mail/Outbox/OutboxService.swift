public import Platform
internal import Synchronization

/// Sends what waits in the outbox: claims entries, has them composed, gives the messages to the transport's lanes and writes down what became
/// of each.
///
/// Every accepted mail is delivered at least once while its code lives. A crash, or a store that stays away during the stop, repeats at most
/// the messages that were with a lane, each with the same Message-ID.
public final class OutboxService: Service {
    /// `outbox`.
    public let name = "outbox"

    private let transport: any MailTransport
    private let settings: OutboxSettings
    private let clock: WallClock
    private let random: @Sendable () -> Double
    private let logger: Logger

    private let health: OutboxHealth
    fileprivate let dispatch: OutboxDispatch
    private let writer: SettlementWriter
    private let agenda: OutboxAgenda
    private let feeder: OutboxFeeder
    private let housekeeping: OutboxHousekeeping
    private let counters: Counters

    private struct Counters {
        let accepted: Metrics.Counter
        let refused: Metrics.Counter
        let deferred: Metrics.Counter
        let senderRefused: Metrics.Counter
        let unreachable: Metrics.Counter
        let givenUp: Metrics.Counter

        init(_ metrics: Metrics) {
            func counter(_ outcome: String) -> Metrics.Counter {
                metrics.counter(
                    "postern_mail_deliveries_total", help: "Attempts to deliver a mail, by outcome.", labels: [("outcome", outcome)])
            }
            accepted = counter("accepted")
            refused = counter("refused")
            deferred = counter("deferred")
            senderRefused = counter("sender-refused")
            unreachable = counter("unreachable")
            givenUp = metrics.counter("postern_mails_given_up_total", help: "Mails that did not get through while their code lived.")
        }
    }

    /// Makes the service; nothing happens before `run`.
    ///
    /// - Parameters:
    ///   - owner: what the leases are written down under; of its own for each process.
    ///   - random: draws from 0 ..< 1, for the jitter of retries.
    public init(
        store: any OutboxStore, composer: any MailComposer, transport: any MailTransport, owner: String, metrics: Metrics, logger: Logger,
        settings: OutboxSettings = OutboxSettings(), clock: WallClock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.transport = transport
        self.settings = settings
        self.clock = clock
        self.random = random
        self.logger = logger
        let health = OutboxHealth(logger: logger)
        let agenda = OutboxAgenda(due: clock.now())
        // Dispatch and writer know each other: the one releases, the other says what is durable.
        let link = Link()
        let writer = SettlementWriter(store: store, owner: owner, clock: clock, health: health, logger: logger) { settlements in
            link.dispatch?.forget(settlements)
            agenda.note(settlements, now: clock.now())
        }
        let dispatch = OutboxDispatch(
            settings: settings, clock: clock, lanes: max(1, transport.lanes),
            release: { ids in writer.writeSoon(ids.map { OutboxSettlement(id: $0, state: .released) }) },
            postpone: { ids, time in writer.writeSoon(ids.map { OutboxSettlement(id: $0, state: .postponed(until: time)) }) },
            hungry: { agenda.look() })
        link.dispatch = dispatch
        self.health = health
        self.agenda = agenda
        self.writer = writer
        self.dispatch = dispatch
        self.feeder = OutboxFeeder(
            store: store, composer: composer, owner: owner, settings: settings, clock: clock, logger: logger, health: health,
            agenda: agenda,
            dispatch: dispatch, writer: writer, metrics: metrics)
        self.housekeeping = OutboxHousekeeping(store: store, settings: settings, clock: clock, health: health, metrics: metrics)
        self.counters = Counters(metrics)
        metrics.gauge("postern_outbox_ready", help: "Composed mails that wait for a connection.") { Double(dispatch.readyCount) }
        metrics.gauge("postern_outbox_rejected_senders", help: "Routes whose mails wait because we are rejected as a sender.") {
            Double(dispatch.rejectedSenders.count)
        }
        metrics.gauge("postern_outbox_in_flight", help: "Mails between claim and settlement.") { Double(dispatch.inFlightCount) }
    }

    /// Held weakly, so that the two do not keep each other alive.
    private final class Link: Sendable {
        private let state = Mutex<WeakDispatch>(WeakDispatch())

        private struct WeakDispatch {
            weak var value: OutboxDispatch?
        }

        var dispatch: OutboxDispatch? {
            get { state.withLock { $0.value } }
            set { state.withLock { $0.value = newValue } }
        }
    }

    /// Says that there may be something to send. Costs one atomic read while a look is already due, so any number of requests may call it.
    public func wake() {
        agenda.wake()
    }

    /// How the outbox is doing.
    public var status: OutboxStatus {
        var status = health.status
        status.rejectedSenders = dispatch.rejectedSenders
        return status
    }

    /// Whether mails that are accepted now go out now, as far as is known.
    public var isHealthy: Bool { status.isHealthy }

    /// Sends until `shutdown`; then lanes finish what they are sending, and the rest goes back to the store. Never throws.
    public func run(until shutdown: Shutdown) async throws {
        let threads = (0..<max(1, transport.lanes)).map { ThreadExecutor(name: "mail-\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for (lane, thread) in threads.enumerated() {
                group.addTask(executorPreference: thread) { await self.runLane(lane) }
            }
            group.addTask { await self.feeder.run() }
            group.addTask { await self.housekeeping.run() }
            await shutdown.wait()
            writer.stop(grace: settings.stopGrace)
            dispatch.close()
            agenda.look()
            housekeeping.stop()
        }
        await writer.flush()
    }

    private func runLane(_ lane: Int) async {
        while true {
            await transport.runLane(lane, source: LaneSource(service: self, lane: lane))
            dispatch.left(lane: lane)
            if dispatch.isClosed { return }
            // A lane must not return before the source is closed; one that does is started again, but not in a tight loop.
            logger.error("mail lane ended by itself", [("lane", String(lane))])
            try? await Task.sleep(for: .seconds(1))
        }
    }

    fileprivate func next(lane: Int, within patience: Duration?) async -> NextMessage {
        await dispatch.next(lane: lane, within: patience)
    }

    fileprivate func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async {
        let now = clock.now()
        let answered = if case .unreachable = outcome { false } else { true }
        guard let entry = dispatch.settles(message.entryID, outcome) else {
            return logger.error("mail settled that no lane had", [("entry", String(message.entryID))])
        }
        if answered { health.serverAnswered(at: now) }
        let state: OutboxSettlement.State
        switch outcome {
        case .accepted(let reply):
            counters.accepted.add()
            state = .sent(reply: reply)
        case .recipientRefused(let reply, _):
            state = .bounced(reply: refused(entry, reply))
        case .refused(let reply):
            state = .failed(reason: refused(entry, reply))
        case .deferred(let reply):
            counters.deferred.add()
            state = retry(entry, .deferred, reason: reply, now: now)
        case .senderRefused(let reply, let scope):
            counters.senderRefused.add()
            if dispatch.senderRejected(entry, scope, reply: reply, random: random()) {
                logger.error("rejected as a sender, mails wait", [("project", entry.projectID), ("reply", reply)])
            }
            state = retry(entry, .operatorMustAct, reason: reply, now: now)
        case .unreachable(let reason):
            counters.unreachable.add()
            health.serverNotFound(at: now, reason: reason, pauses: dispatch.unreachable(random: random()))
            state = retry(entry, .unreachable, reason: reason, now: now)
        }
        await writer.write(OutboxSettlement(id: entry.id, state: state), of: entry)
    }

    private func refused(_ entry: OutboxEntry, _ reply: String) -> String {
        counters.refused.add()
        logger.warning("mail refused", [("entry", String(entry.id)), ("project", entry.projectID)])
        return reply
    }

    private func retry(_ entry: OutboxEntry, _ cause: RetrySchedule.Cause, reason: String, now: UnixTime) -> OutboxSettlement.State {
        switch settings.schedule.decide(after: entry.attempts, cause: cause, now: now, expiresAt: entry.expiresAt, random: random()) {
        case .retry(let time): return .retry(at: time, reason: reason)
        case .giveUp(let why):
            counters.givenUp.add()
            logger.warning("mail given up", [("entry", String(entry.id)), ("project", entry.projectID)])
            return .failed(reason: "\(reason) (\(why))")
        }
    }
}

/// The service as one lane sees it.
private struct LaneSource: MailSource {
    let service: OutboxService
    let lane: Int

    var isClosed: Bool { service.dispatch.isClosed }

    func next(within patience: Duration?) async -> NextMessage { await service.next(lane: lane, within: patience) }
    func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async { await service.settle(message, outcome) }
}
