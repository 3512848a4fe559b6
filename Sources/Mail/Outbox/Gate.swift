internal import Synchronization

/// Lets one task sleep until something happens; what happens before it sleeps is not forgotten.
///
/// A sleep may end too early: timers are kept for the next sleep instead of being set up and torn down each time, which costs system calls.
final class Gate: Sendable {
    private struct State {
        var isSignalled = false
        var sleeper: CheckedContinuation<Void, Never>?
        var alarm: Alarm?
    }

    private let state = Mutex(State())

    init() {}

    deinit {
        state.withLock { $0.alarm?.cancel() }
    }

    /// Wakes the sleeper, or lets the next sleep end at once.
    func signal() {
        let sleeper = state.withLock { state in
            state.isSignalled = state.sleeper == nil
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume()
    }

    /// Sleeps until the signal, or for `duration` at most. One task at a time.
    func wait(atMost duration: Duration) async {
        let deadline = ContinuousClock.now + duration
        await withCheckedContinuation { continuation in
            let sleeps = state.withLock { state in
                defer { state.isSignalled = false }
                guard !state.isSignalled, duration > .zero else { return false }
                state.sleeper = continuation
                Alarm.set(&state.alarm, for: deadline) { [weak self] in self?.ring() }
                return true
            }
            if !sleeps { continuation.resume() }
        }
    }

    private func ring() {
        let sleeper = state.withLock { state in
            state.alarm = nil
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume()
    }
}
