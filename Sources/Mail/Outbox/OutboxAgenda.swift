internal import Platform
internal import Synchronization

/// When the feeder looks at the store next, and its bed until then.
final class OutboxAgenda: Sendable {
    private struct State {
        var due: UnixTime?
        /// Whether `due` covers everything in the store.
        var isComplete = false
    }

    private let isAsked = Atomic<Bool>(false)
    private let state: Mutex<State>
    private let gate = Gate()

    /// `due`: when the first look is due.
    init(due: UnixTime) {
        state = Mutex(State(due: due))
    }

    /// Something was accepted. The row is committed before this is called and the mark is taken before the claim that must see it, so the
    /// mark of an earlier call, if still there, stands for this one too.
    func wake() {
        if isAsked.load(ordering: .acquiring) { return }
        if !isAsked.exchange(true, ordering: .acquiringAndReleasing) { gate.signal() }
    }

    /// Something else changed: the feeder thinks again, but does not claim for that reason alone.
    func look() { gate.signal() }

    /// Something is due at that time.
    func note(_ time: UnixTime) {
        let isEarlier = state.withLock { state in
            guard state.due.map({ time < $0 }) ?? true else { return false }
            state.due = time
            return true
        }
        if isEarlier { gate.signal() }
    }

    /// Settlements that make entries due later.
    func note(_ settlements: [OutboxSettlement], now: UnixTime) {
        var earliest: UnixTime?
        for settlement in settlements {
            switch settlement.state {
            case .retry(let at, _): earliest = min(earliest ?? at, at)
            case .postponed(let until): earliest = min(earliest ?? until, until)
            case .released: earliest = min(earliest ?? now, now)
            case .sent, .failed, .bounced, .dropped: break
            }
        }
        if let earliest { note(earliest) }
    }

    /// Whether to claim now; the reason for it is then used up.
    func takeDue(now: UnixTime) -> Bool {
        let isAsked = isAsked.exchange(false, ordering: .acquiringAndReleasing)
        return state.withLock { state in
            let isDue = state.due.map { $0 <= now } ?? false
            guard isAsked || isDue else { return false }
            if isDue {
                state.due = nil
                state.isComplete = false
            }
            return true
        }
    }

    /// The earliest time known.
    var due: UnixTime? { state.withLock { $0.due } }
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The store said when its next entry is due.
    func complete(with time: UnixTime?) {
        state.withLock { state in
            state.isComplete = true
            if let time { state.due = min(state.due ?? time, time) }
        }
    }

    /// Has the store asked again.
    func forgetDue() {
        state.withLock { $0.isComplete = false }
    }

    func sleep(for duration: Duration) async {
        await gate.wait(atMost: duration)
    }
}
