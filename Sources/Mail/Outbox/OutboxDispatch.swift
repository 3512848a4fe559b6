internal import Platform
internal import Synchronization

/// What is between claim and settlement: the messages that are ready, the lanes that wait for one, and who has what.
final class OutboxDispatch: Sendable {
    private struct Ready {
        let message: OutgoingMessage
        let leaseEnd: UnixTime
    }

    private struct InFlight {
        let entry: OutboxEntry
        /// The lane that has it and has not settled it yet.
        var lane: Int?
        /// Its lease ran out here and the store gave it to us once more.
        var isReclaimed = false
    }

    private struct Waiter {
        let lane: Int
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<NextMessage, Never>
    }

    private struct State {
        var ready: [Ready] = []
        var head = 0
        var inFlight: [Int64: InFlight] = [:]
        var waiters: [Waiter] = []
        /// Rings when a waiting lane's patience ends.
        var alarm: Alarm?
        var isClosed = false
        var circuit: DeliveryCircuit
        var batch: Int
        var lastFullClaim: UnixTime?

        var readyCount: Int { ready.count - head }
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
    /// Told that more may be claimed.
    private let hungry: @Sendable () -> Void

    init(
        settings: OutboxSettings, clock: WallClock, lanes: Int, release: @escaping @Sendable ([Int64]) -> Void,
        hungry: @escaping @Sendable () -> Void
    ) {
        self.settings = settings
        self.clock = clock
        self.lanes = lanes
        self.giveBack = release
        self.hungry = hungry
        let circuit = DeliveryCircuit(threshold: lanes, schedule: settings.schedule)
        self.state = Mutex(State(circuit: circuit, batch: max(1, settings.batch)))
    }

    // MARK: For the feeder

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var readyCount: Int { state.withLock { $0.readyCount } }
    var inFlightCount: Int { state.withLock { $0.inFlight.count } }

    /// How many entries may be claimed now; when none and time alone will change that, when.
    func appetite(now: UnixTime) -> (limit: Int, again: UnixTime?) {
        state.withLock { state in
            switch state.circuit.state {
            case .closed: return (state.readyCount <= state.batch / 2 ? state.batch : 0, nil)
            case .probing: return (0, nil)
            case .open(let until): return (state.readyCount == 0 && now >= until ? 1 : 0, now < until ? until : nil)
            }
        }
    }

    /// Notes claimed entries and gives those that are not in hand already.
    func admit(_ entries: [OutboxEntry], limit: Int, now: UnixTime) -> [OutboxEntry] {
        state.withLock { state in
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
                state.inFlight[entry.id] = InFlight(entry: entry)
                return true
            }
        }
    }

    /// Hands messages to the lanes. Those that cannot be taken, because of the stop or a missing server, are released.
    func offer(_ messages: [OutgoingMessage], leaseEnd: UnixTime) {
        let now = clock.now()
        let refused = state.withLock { state in
            guard accepts(state, now: now) else { return true }
            for message in messages { state.ready.append(Ready(message: message, leaseEnd: leaseEnd)) }
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
    /// claim, the store's own state is then right.
    func forget(_ settlements: [OutboxSettlement]) {
        let again = state.withLock { state in
            settlements.compactMap { state.inFlight.removeValue(forKey: $0.id)?.isReclaimed == true ? $0.id : nil }
        }
        release(again)
    }

    // MARK: For the lanes

    func next(lane: Int, within patience: Duration?) async -> NextMessage {
        let now = clock.now()
        let (found, isClosed) = state.withLock { state in
            state.isClosed ? (Found(), true) : (take(for: lane, from: &state, now: now), false)
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

    /// The entry of a message that a lane settles; nil when the lane has none such, for instance because it has settled it before.
    ///
    /// `answered`: whether the server said something about it, which ends a pause.
    func settles(_ id: Int64, answered: Bool) -> OutboxEntry? {
        let (entry, resumes) = state.withLock { state -> (OutboxEntry?, Bool) in
            guard let index = state.inFlight.index(forKey: id), state.inFlight.values[index].lane != nil else { return (nil, false) }
            state.inFlight.values[index].lane = nil
            return (state.inFlight.values[index].entry, answered && state.circuit.answered())
        }
        if resumes {
            handOut(now: clock.now())
            hungry()
        }
        return entry
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
            let ids = state.inFlight.values.filter { $0.lane == lane }.map(\.entry.id)
            for id in ids { state.inFlight[id]?.lane = nil }
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
        while state.readyCount > 0, state.circuit.allowance(now: now, limit: 1) > 0 {
            let first = state.ready[state.head]
            state.head += 1
            if state.readyCount == 0 {
                state.ready.removeAll(keepingCapacity: true)
                state.head = 0
            } else if state.head >= 128 {
                state.ready.removeFirst(state.head)
                state.head = 0
            }
            guard now + settings.deliveryTime < first.leaseEnd else {
                found.stale.append(first.message.entryID)
                continue
            }
            state.circuit.started()
            state.inFlight[first.message.entryID]?.lane = lane
            found.message = first.message
            break
        }
        // More was claimed than could be sent in time.
        if !found.stale.isEmpty { state.batch = max(lanes, state.batch / 2) }
        found.isLow = !found.stale.isEmpty || state.readyCount == state.batch / 2
        return found
    }

    private func takeAll(from state: inout State) -> [Int64] {
        defer {
            state.ready = []
            state.head = 0
        }
        return state.ready[state.head...].map(\.message.entryID)
    }
}
