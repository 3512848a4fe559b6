internal import Synchronization

/// One request that a task answers. Belongs to the task and to the connection, whichever lasts longer.
final class Exchange: Sendable {
    private enum State {
        /// The task runs its first part, on the loop's thread, within the connection's callback.
        case starting
        /// The connection is suspended until the answer is there.
        case waiting
        case answered(HTTPResponse)
        /// Nobody wants the answer any more.
        case abandoned
    }

    /// Tells exchanges of a loop apart.
    let number: UInt64
    private let executor: LoopExecutor
    private let state = Mutex(State.starting)

    init(number: UInt64, executor: LoopExecutor) {
        self.number = number
        self.executor = executor
    }

    /// The task has an answer. Dropped when the exchange was abandoned.
    func answer(_ response: HTTPResponse) {
        let waited = state.withLock { state in
            switch state {
            case .starting:
                state = .answered(response)
                return false
            case .waiting:
                state = .answered(response)
                return true
            case .answered, .abandoned: return false
            }
        }
        if waited { executor.noteAnswer(number) }
    }

    /// The answer, if it is there; otherwise the task will tell the executor about it.
    func takeOrWait() -> HTTPResponse? {
        state.withLock { state in
            switch state {
            case .starting:
                state = .waiting
                return nil
            case .answered(let response):
                state = .abandoned
                return response
            case .waiting, .abandoned: return nil
            }
        }
    }

    /// A later answer is dropped.
    func abandon() {
        state.withLock { $0 = .abandoned }
    }
}
