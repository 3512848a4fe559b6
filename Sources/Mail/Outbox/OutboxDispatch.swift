internal import Platform
internal import Synchronization

/// What is between claim and settlement: the messages that are ready, the lanes that wait for one, and who has what.
final class OutboxDispatch: Sendable {
    private struct InFlight {
        let entry: OutboxEntry
        /// The lane that has it and has not settled it yet.
        var lane: Int?
        /// Since when it has.
        var start: ContinuousClock.Instant?
        /// Its lease ran out here and the store gave it to us once more.
        var isReclaimed = false

        var route: MailRoute { MailRoute(project: entry.projectID, domain: entry.recipientDomain) }
    }

    private struct Waiter {
        let lane: Int
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<NextMessage, Never>
    }

    private struct State {
        var ready = ReadyMails()
        var inFlight: [Int64: InFlight] = [:]
        var waiters: [Waiter] = []
        /// Rings when a waiting lane's patience ends.
        var alarm: Alarm?
        var isClosed = false
        var circuit: DeliveryCircuit
        var batch: Int
        var lastFullClaim: UnixTime?
        var domains: RecipientDomains
        var rejected: RejectedSenders
        /// The mail that each lane took last.
        var current: [Int: Int64] = [:]

        /// The next mail that may go. Static below, so that nothing is copied while the queue changes.
        mutating func nextReady(now: UnixTime) -> ReadyMails.Mail? { Self.next(&ready, domains, rejected, now: now) }

        private static func next(
            _ ready: inout ReadyMails, _ domains: RecipientDomains, _ rejected: RejectedSenders, now: UnixTime
        ) -> ReadyMails.Mail? {
            ready.next { domains.mayStart($0.domain ?? "") && rejected.rest(of: $0, now: now) == nil }
        }

        /// How many mails can go before long.
        func readyCount(now: UnixTime) -> Int {
            let instant = ContinuousClock.now
            return ready.count { !domains.isStuck($0.domain ?? "", now: instant) && rejected.rest(of: $0, now: now) == nil }
        }
    }

    /// What `next` found out under the lock and does after it.
    private struct Found {
        var message: OutgoingMessage?
        var stale: [Int64] = []
        var isLow = false
    }

    private let state: Mutex<State>
    private let settings: OutboxSettings
    private let clock: WallClock
    private let lanes: Int
    /// Told ids that go back to the store untried.
    private let giveBack: @Sendable ([Int64]) -> Void
    /// Told ids that go back to the store until a time.
    private let postpone: @Sendable ([Int64], UnixTime) -> Void
    /// Told that more may be claimed.
    private let hungry: @Sendable () -> Void

    init(
        settings: OutboxSettings, clock: WallClock, lanes: Int, release: @escaping @Sendable ([Int64]) -> Void,
        postpone: @escaping @Sendable ([Int64], UnixTime) -> Void, hungry: @escaping @Sendable () -> Void
    ) {
        self.settings = settings
        self.clock = clock
        self.lanes = lanes
        self.giveBack = release
        self.postpone = postpone
        self.hungry = hungry
        let circuit = DeliveryCircuit(threshold: lanes, schedule: settings.schedule)
        self.state = Mutex(
            State(
                circuit: circuit, batch: max(1, settings.batch), domains: RecipientDomains(lanes: lanes),
                rejected: RejectedSenders(schedule: settings.schedule)))
    }

    // MARK: For the feeder

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var readyCount: Int { state.withLock { $0.ready.count } }
    /// The routes that rest because we are rejected there.
    var rejectedSenders: [RejectedSender] { state.withLock { $0.rejected.list } }
    var inFlightCount: Int { state.withLock { $0.inFlight.count } }

    /// How many entries may be claimed now; when none and time alone will change that, when.
    func appetite(now: UnixTime) -> (limit: Int, again: UnixTime?) {
        state.withLock { state in
            switch state.circuit.state {
            case .closed:
                if state.readyCount(now: now) <= state.batch / 2 { return (state.batch, nil) }
                // Lanes that wait although mails are ready: their domain may be stuck, which only time tells.
                return (0, state.waiters.isEmpty ? nil : now + RecipientDomains.patience / 2)
            case .probing: return (0, nil)
            case .open(let until): return (state.ready.count == 0 && now >= until ? 1 : 0, now < until ? until : nil)
            }
        }
    }

    /// Notes claimed entries and gives those that are not in hand already.
    ///
    /// What its route cannot take for now goes back to the store, so that it is not in the way of others.
    func admit(_ entries: [OutboxEntry], limit: Int, now: UnixTime) -> [OutboxEntry] {
        var postponed: [UnixTime: [Int64]] = [:]
        defer { for (time, ids) in postponed { postpone(ids, time) } }
        return state.withLock { state in
            if entries.count == limit, limit > 1 {
                // Two full claims within a second: the lanes are fast, and larger claims cost less.
                if let last = state.lastFullClaim, now - last < .seconds(1) { state.batch = min(state.batch * 2, settings.largestBatch) }
                state.lastFullClaim = now
            }
            return entries.filter { entry in
                guard state.inFlight[entry.id] == nil else {
                    state.inFlight[entry.id]?.isReclaimed = true
                    return false
                }
                let entering = InFlight(entry: entry)
                if let time = obstacle(entering.route, state, now: now) {
                    postponed[time, default: []].append(entry.id)
                    return false
                }
                state.inFlight[entry.id] = entering
                return true
            }
        }
    }

    /// Until when a mail of a route has to wait in the store; nil when it may be composed.
    private func obstacle(_ route: MailRoute, _ state: State, now: UnixTime) -> UnixTime? {
        if let rest = state.rejected.rest(of: route, now: now) { return rest }
        guard state.domains.isStuck(route.domain ?? "", now: .now) else { return nil }
        // A few are kept at hand. The rest comes back later, in no hurry: however many there are, they cost the store little.
        let isCrowded = state.ready.count(of: route) >= lanes * 2 || state.ready.count >= settings.largestBatch * 2
        return isCrowded ? now + settings.congestionPause : nil
    }

    /// Hands messages to the lanes. Those that cannot be taken, because of the stop or a missing server, are released.
    func offer(_ messages: [OutgoingMessage], leaseEnd: UnixTime) {
        let now = clock.now()
        let refused = state.withLock { state in
            guard accepts(state, now: now) else { return true }
            for message in messages {
                guard let route = state.inFlight[message.entryID]?.route else { continue }
                state.ready.append(ReadyMails.Mail(message: message, leaseEnd: leaseEnd), to: route)
            }
            return false
        }
        if refused { return release(messages.map(\.entryID)) }
        handOut(now: now)
    }

    /// Gives ready messages to lanes that wait; the lane that came last first, because its connection is warm.
    private func handOut(now: UnixTime) {
        var handed: [(Waiter, OutgoingMessage)] = []
        var stale: [Int64] = []
        state.withLock { state in
            while let waiter = state.waiters.last {
                let found = take(for: waiter.lane, from: &state, now: now)
                stale += found.stale
                guard let message = found.message else { break }
                state.waiters.removeLast()
                handed.append((waiter, message))
            }
        }
        for (waiter, message) in handed { waiter.continuation.resume(returning: .message(message)) }
        release(stale)
    }

    /// Whether it is worth composing what was claimed.
    func accepts(now: UnixTime) -> Bool { state.withLock { accepts($0, now: now) } }

    private func accepts(_ state: State, now: UnixTime) -> Bool {
        !state.isClosed && state.circuit.allowance(now: now, limit: 1) > 0
    }

    /// No more messages: waiting lanes go home, what is ready goes back.
    func close() {
        var waiters: [Waiter] = []
        var ids: [Int64] = []
        state.withLock { state in
            state.isClosed = true
            state.alarm?.cancel()
            waiters = state.waiters
            state.waiters = []
            ids = takeAll(from: &state)
        }
        for waiter in waiters { waiter.continuation.resume(returning: .closed) }
        release(ids)
    }

    /// Forgets what is durable. What the store gave us again meanwhile is handed back: whether the settlement came before or after that
    /// claim, the store's own state is then right. Until that is durable too the entry stays in hand, so that a later claim of it is not
    /// undone by the hand-back while a lane has it.
    func forget(_ settlements: [OutboxSettlement]) {
        let again = state.withLock { state in
            settlements.compactMap { settlement -> Int64? in
                guard state.inFlight[settlement.id]?.isReclaimed == true else {
                    state.inFlight[settlement.id] = nil
                    return nil
                }
                state.inFlight[settlement.id]?.isReclaimed = false
                return settlement.id
            }
        }
        release(again)
    }

    // MARK: For the lanes

    func next(lane: Int, within patience: Duration?) async -> NextMessage {
        let now = clock.now()
        let (found, isClosed) = state.withLock { state -> (Found, Bool) in
            if state.isClosed { return (Found(), true) }
            // Behind a mail to a domain that may be slow nobody else is to wait.
            if patience == .zero, mayBeSlow(lane, state) { return (Found(), false) }
            return (take(for: lane, from: &state, now: now), false)
        }
        if found.isLow { hungry() }
        release(found.stale)
        if let message = found.message { return .message(message) }
        if isClosed { return .closed }
        if let patience, patience <= .zero { return .none }
        return await wait(lane: lane, patience: patience)
    }

    private func wait(lane: Int, patience: Duration?) async -> NextMessage {
        let deadline = patience.map { ContinuousClock.now + $0 }
        return await withCheckedContinuation { continuation in
            let now = clock.now()
            let (found, isClosed) = state.withLock { state -> (Found, Bool) in
                guard !state.isClosed else { return (Found(), true) }
                // A message may have come since the last look.
                let found = take(for: lane, from: &state, now: now)
                if found.message == nil {
                    state.waiters.append(Waiter(lane: lane, deadline: deadline, continuation: continuation))
                    if let deadline { setAlarm(&state, for: deadline) }
                }
                return (found, false)
            }
            if found.isLow { hungry() }
            release(found.stale)
            if let message = found.message {
                continuation.resume(returning: .message(message))
            } else if isClosed {
                continuation.resume(returning: .closed)
            }
        }
    }

    private func setAlarm(_ state: inout State, for time: ContinuousClock.Instant) {
        Alarm.set(&state.alarm, for: time) { [weak self] in self?.endPatience() }
    }

    private func endPatience() {
        let now = ContinuousClock.now
        let impatient = state.withLock { state in
            state.alarm = nil
            let impatient = state.waiters.filter { $0.deadline.map { $0 <= now } ?? false }
            state.waiters.removeAll { $0.deadline.map { $0 <= now } ?? false }
            if let next = state.waiters.compactMap(\.deadline).min() { setAlarm(&state, for: next) }
            return impatient
        }
        for waiter in impatient { waiter.continuation.resume(returning: .none) }
    }

    private func mayBeSlow(_ lane: Int, _ state: State) -> Bool {
        guard let id = state.current[lane], let mail = state.inFlight[id] else { return false }
        return !state.domains.isQuick(mail.entry.recipientDomain)
    }

    /// The entry of a message that a lane settles; nil when the lane has none such, for instance because it has settled it before.
    func settles(_ id: Int64, _ outcome: DeliveryOutcome) -> OutboxEntry? {
        let now = ContinuousClock.now
        let (entry, resumes, waits) = state.withLock { state -> (OutboxEntry?, Bool, Bool) in
            guard let index = state.inFlight.index(forKey: id), let lane = state.inFlight.values[index].lane else {
                return (nil, false, false)
            }
            let mail = state.inFlight.values[index]
            state.inFlight.values[index].lane = nil
            if state.current[lane] == id { state.current[lane] = nil }
            let took = mail.start.map { now - $0 } ?? .zero
            var resumes = false
            switch outcome {
            case .unreachable:
                state.rejected.probeLost(mail.route)
                // A server that is not there says nothing about the domain, but one that has gone silent over its mails does.
                if took >= RecipientDomains.slow {
                    state.domains.finished(mail.entry.recipientDomain, took: took, now: now)
                } else {
                    state.domains.abandoned(mail.entry.recipientDomain)
                }
            case .accepted:
                resumes = state.circuit.answered()
                resumes = !state.rejected.accepted(mail.route).isEmpty || resumes
                state.domains.finished(mail.entry.recipientDomain, took: took, now: now)
            case .recipientRefused, .refused, .deferred, .senderRefused:
                resumes = state.circuit.answered()
                state.rejected.probeLost(mail.route)
                state.domains.finished(mail.entry.recipientDomain, took: took, now: now)
            }
            return (mail.entry, resumes, !state.waiters.isEmpty && state.ready.count > 0)
        }
        if resumes || waits { handOut(now: clock.now()) }
        if resumes { hungry() }
        return entry
    }

    /// We were rejected as a sender; what is ready of that route goes back. Gives whether that is news.
    func senderRejected(_ entry: OutboxEntry, _ scope: DeliveryOutcome.SenderScope, reply: String, random: Double) -> Bool {
        let now = clock.now()
        let route = MailRoute(project: entry.projectID, domain: scope == .project ? nil : entry.recipientDomain)
        let (isNews, ids, time) = state.withLock { state in
            let isNews = state.rejected.rejected(route, reply: reply, now: now, random: random)
            let ids = state.ready.remove { $0.project == route.project && (route.domain == nil || $0.domain == route.domain) }
            for id in ids { state.inFlight[id] = nil }
            return (isNews, ids, state.rejected.rest(of: route, now: now) ?? now)
        }
        if !ids.isEmpty { postpone(ids, time) }
        return isNews
    }

    /// No server was found. Gives whether mails wait from now on; what was ready goes back to the store then.
    func unreachable(random: Double) -> Bool {
        let now = clock.now()
        var ids: [Int64] = []
        let opened = state.withLock { state in
            let opened = state.circuit.unreachable(now: now, random: random)
            if opened { ids = takeAll(from: &state) }
            return opened
        }
        release(ids)
        if opened { hungry() }
        return opened
    }

    /// A lane has returned; what it still had goes back. Whether that was sent, nobody knows, so it will be again, with its Message-ID.
    func left(lane: Int) {
        let now = clock.now()
        let ids = state.withLock { state in
            let mails = state.inFlight.values.filter { $0.lane == lane }
            let ids = mails.map(\.entry.id)
            for mail in mails {
                state.inFlight[mail.entry.id]?.lane = nil
                state.domains.abandoned(mail.entry.recipientDomain)
                state.rejected.probeLost(mail.route)
            }
            state.current[lane] = nil
            if !ids.isEmpty { state.circuit.probeLost(now: now) }
            return ids
        }
        release(ids)
        hungry()
    }

    private func release(_ ids: [Int64]) {
        if !ids.isEmpty { giveBack(ids) }
    }

    // MARK: Under the lock

    /// The oldest message whose lease is long enough, if one may go.
    private func take(for lane: Int, from state: inout State, now: UnixTime) -> Found {
        var found = Found()
        while state.circuit.allowance(now: now, limit: 1) > 0 {
            guard let first = state.nextReady(now: now) else { break }
            guard now + settings.deliveryTime < first.leaseEnd else {
                found.stale.append(first.message.entryID)
                continue
            }
            state.circuit.started()
            if let mail = state.inFlight[first.message.entryID] {
                state.domains.started(mail.entry.recipientDomain, now: .now)
                state.rejected.started(mail.route)
            }
            state.inFlight[first.message.entryID]?.lane = lane
            state.inFlight[first.message.entryID]?.start = .now
            state.current[lane] = first.message.entryID
            found.message = first.message
            break
        }
        // More was claimed than could be sent in time.
        if !found.stale.isEmpty { state.batch = max(lanes, state.batch / 2) }
        // Also when all that is ready has to wait for its domain: there may be others in the store.
        let isBlocked = found.message == nil && state.ready.count > 0
        found.isLow = !found.stale.isEmpty || isBlocked || state.ready.count == state.batch / 2
        return found
    }

    private func takeAll(from state: inout State) -> [Int64] {
        state.ready.remove()
    }
}
