internal import Platform
internal import Synchronization

/// Writes settlements down, those that come in while the store is busy in one call, and tries until it has succeeded.
///
/// No task of its own: whoever comes when nothing is being written writes, and passes the rest on to one of those who came meanwhile. Each
/// mail so costs one wake-up of its lane at most.
final class SettlementWriter: Sendable {
    private struct State {
        var settlements: [OutboxSettlement] = []
        /// Resumed with true: now it is your turn to write.
        var waiters: [CheckedContinuation<Bool, Never>] = []
        var isWriting = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        var deadline: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let store: any OutboxStore
    private let owner: String
    private let clock: WallClock
    private let health: OutboxHealth
    private let logger: Logger
    private let written: @Sendable ([OutboxSettlement]) -> Void

    /// `written` is told what is durable, before anybody who waits for it goes on.
    init(
        store: any OutboxStore, owner: String, clock: WallClock, health: OutboxHealth, logger: Logger,
        written: @escaping @Sendable ([OutboxSettlement]) -> Void
    ) {
        self.store = store
        self.owner = owner
        self.clock = clock
        self.health = health
        self.logger = logger
        self.written = written
    }

    /// Returns once the settlement of `entry` is durable, or given up after `stop`.
    func write(_ settlement: OutboxSettlement, of entry: OutboxEntry) async {
        if case .sent = settlement.state, store.noteSent(entry) { return written([settlement]) }
        let isMyTurn = await withCheckedContinuation { continuation in
            let isMyTurn = state.withLock { state in
                state.settlements.append(settlement)
                if state.isWriting { state.waiters.append(continuation) }
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if isMyTurn { continuation.resume(returning: true) }
        }
        if isMyTurn { await writeBatch() }
    }

    /// The same for settlements that nobody waits for.
    func writeSoon(_ settlements: [OutboxSettlement]) {
        guard !settlements.isEmpty else { return }
        let starts = state.withLock { state in
            state.settlements.append(contentsOf: settlements)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { Task { await writeBatch() } }
    }

    /// Returns once nothing is left to write.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isWriting { state.idleWaiters.append(continuation) }
                return !state.isWriting
            }
            if isIdle { continuation.resume() }
        }
    }

    /// From now on a store that fails is given `grace` to recover. What is not written then stays leased and is delivered again later: a
    /// mail may come twice, but none is lost.
    func stop(grace: Duration) {
        state.withLock { $0.deadline = .now + grace }
    }

    private func writeBatch() async {
        let (settlements, waiters) = state.withLock { state in
            defer {
                state.settlements = []
                state.waiters = []
            }
            return (state.settlements, state.waiters)
        }
        var pause = Duration.milliseconds(50)
        while true {
            do throws(StoreError) {
                try await store.settleOutbox(settlements, owner: owner, now: clock.now())
                health.storeWorked(.settle)
                break
            } catch {
                health.storeFailed(.settle, error)
                guard !givesUp(after: error) else {
                    logger.error("settlements not written, mails may be sent twice", [("count", String(settlements.count))])
                    break
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
        written(settlements)
        passOn()
        for waiter in waiters { waiter.resume(returning: false) }
    }

    /// Has the next batch written, by one who waits for it where there is one.
    private func passOn() {
        typealias Turn = (next: CheckedContinuation<Bool, Never>?, isLeft: Bool, idleWaiters: [CheckedContinuation<Void, Never>])
        let (next, isLeft, idleWaiters) = state.withLock { state -> Turn in
            if !state.waiters.isEmpty { return (state.waiters.removeFirst(), true, []) }
            if !state.settlements.isEmpty { return (nil, true, []) }
            state.isWriting = false
            defer { state.idleWaiters = [] }
            return (nil, false, state.idleWaiters)
        }
        if let next {
            next.resume(returning: true)
        } else if isLeft {
            Task { await writeBatch() }
        }
        for waiter in idleWaiters { waiter.resume() }
    }

    private func givesUp(after error: StoreError) -> Bool {
        error == .stopped || state.withLock { $0.deadline.map { $0 <= .now } ?? false }
    }
}
