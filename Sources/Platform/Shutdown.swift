internal import Synchronization

/// A one-way signal: somebody asks, others wait for it.
public final class Shutdown: Sendable {
    private struct State {
        var triggered = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes a signal that nobody has given yet.
    public init() {}

    /// Whether the signal was given.
    public var isTriggered: Bool { state.withLock { $0.triggered } }

    /// Gives the signal. Giving it again does nothing.
    public func trigger() {
        let waiters = state.withLock { state in
            state.triggered = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the signal is given.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let already = state.withLock { state in
                if !state.triggered { state.waiters.append(continuation) }
                return state.triggered
            }
            if already { continuation.resume() }
        }
    }
}
