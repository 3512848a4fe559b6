public import Platform
internal import Synchronization

/// Tells open pages of `/_postern/` that something is new: a mail, a template, a page.
///
/// A service, so that pages that wait for news do not hold up the end of the process: put it behind the HTTP server in the list of services.
public final class DevelopmentEvents: Service {
    /// What can be new.
    public enum Subject: String, Sendable, CaseIterable {
        /// The caught mails.
        case inbox
        /// Templates or landing pages.
        case resources
    }

    /// What the log calls it.
    public let name = "development events"

    private struct State {
        var counts: [Subject: Int] = [:]
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Tells one process from another, whose counts begin again.
    private let epoch: Int64

    /// Nothing is new. `clock` tells this process from an earlier one.
    public init(clock: WallClock) {
        epoch = clock.now().milliseconds
    }

    /// Something is new.
    public func announce(_ subject: Subject) {
        let waiters = state.withLock { state in
            state.counts[subject, default: 0] += 1
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// How things stand, as an event's id.
    var version: String { state.withLock { version(of: $0) } }

    private func version(of state: State) -> String {
        ([epoch] + Subject.allCases.map { Int64(state.counts[$0] ?? 0) }).map { String($0) }.joined(separator: "-")
    }

    /// Waits until things stand otherwise than `version` says, `patience` at most; gives how they stand then.
    func news(since version: String?, within patience: Duration) async -> String {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        // Somebody who has gone away is noticed only when there is something to send.
        let alarm = Task {
            try? await Task.sleep(for: patience)
            wake(ticket)
        }
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard !state.isClosed, !alarm.isCancelled, version == self.version(of: state) else { return false }
                state.waiters[ticket] = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
        alarm.cancel()
        return self.version
    }

    private func wake(_ ticket: Int) {
        state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }

    /// Lets everybody go at the end.
    public func run(until shutdown: Shutdown) async {
        await shutdown.wait()
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }
}
