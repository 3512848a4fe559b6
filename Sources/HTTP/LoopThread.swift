internal import Platform
internal import Synchronization

/// The thread of one loop, and how it ended.
final class LoopThread: Sendable {
    private let thread: SystemThread
    private let ended: Shutdown
    private let failure: Failure

    /// Starts serving. `over` is triggered when the loop ends, for whatever reason.
    init(
        index: Int, socket: ListeningSocket, configuration: HTTPServerConfiguration, responder: any HTTPResponder,
        executor: LoopExecutor, over: Shutdown
    ) {
        let ended = Shutdown()
        let failure = Failure()
        self.ended = ended
        self.failure = failure
        self.thread = SystemThread(name: "http-\(index)") {
            defer {
                ended.trigger()
                over.trigger()
            }
            let loop = ConnectionLoop(index: index, configuration: configuration, responder: responder, executor: executor)
            do throws(HTTPServerError) {
                guard let listener = socket.take() else { throw .engineFailed }
                try loop.run(listener: listener)
            } catch {
                failure.value.withLock { $0 = error }
            }
        }
    }

    /// Waits for the end without holding a thread. Throws what the loop threw.
    func end() async throws(HTTPServerError) {
        await ended.wait()
        thread.join()
        if let error = failure.value.withLock({ $0 }) { throw error }
    }

    private final class Failure: Sendable {
        let value = Mutex<HTTPServerError?>(nil)
    }
}
