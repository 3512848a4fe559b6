internal import Platform
internal import Synchronization

/// Remembers how store and mail server are doing, and logs each change once.
final class OutboxHealth: Sendable {
    /// Kinds of store calls. Each has a health of its own: on a full disk reading works while writing fails.
    enum StoreWork {
        case claim
        case settle
        case read
    }

    private struct State {
        var status = OutboxStatus()
        var failing: Set<StoreWork> = []
    }

    private let state = Mutex(State())
    /// Beside the lock, because they are touched with every mail.
    private let lastSuccess = Atomic<Int64>(.min)
    private let isInTrouble = Atomic<Bool>(false)
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    var status: OutboxStatus {
        var status = state.withLock { $0.status }
        let lastSuccess = lastSuccess.load(ordering: .relaxed)
        if lastSuccess != .min { status.lastSuccess = UnixTime(milliseconds: lastSuccess) }
        return status
    }

    func storeWorked(_ work: StoreWork) {
        let isNews = state.withLock { state in
            guard !state.failing.isEmpty, state.failing.remove(work) != nil, state.failing.isEmpty else { return false }
            state.status.storeFailure = nil
            return true
        }
        if isNews { logger.info("outbox store works again") }
    }

    func storeFailed(_ work: StoreWork, _ error: StoreError) {
        let cause =
            switch error {
            case .unavailable(let cause): cause
            case .stopped: "stopped"
            }
        let isNews = state.withLock { state in
            defer { state.failing.insert(work) }
            state.status.storeFailure = cause
            return state.failing.isEmpty
        }
        if isNews { logger.error("outbox store fails", [("cause", cause)]) }
    }

    func serverAnswered(at time: UnixTime) {
        lastSuccess.store(time.milliseconds, ordering: .relaxed)
        guard isInTrouble.load(ordering: .relaxed) else { return }
        let wasPaused = state.withLock { state in
            isInTrouble.store(false, ordering: .relaxed)
            state.status.consecutiveFailures = 0
            defer { state.status.isPaused = false }
            return state.status.isPaused
        }
        if wasPaused { logger.info("mail server found again") }
    }

    func serverNotFound(at time: UnixTime, reason: String, pauses: Bool) {
        let isNews = state.withLock { state in
            isInTrouble.store(true, ordering: .relaxed)
            state.status.lastFailure = time
            state.status.lastFailureReason = reason
            state.status.consecutiveFailures += 1
            defer { if pauses { state.status.isPaused = true } }
            return pauses && !state.status.isPaused
        }
        if isNews { logger.error("no mail server found, mails wait", [("reason", reason)]) }
    }
}
