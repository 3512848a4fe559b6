/// Runs work that blocks (SQLite reads, scrypt, libcurl) on threads of its own, never on the pool that Swift's tasks share.
public final class BlockingExecutor: Sendable {
    private let queue: WorkQueue<@Sendable () -> Void>
    private let threads: [SystemThread]

    /// Starts `threads` (at least 1) threads; that many pieces of work run at once, the rest waits in order.
    public init(name: String, threads count: Int) {
        let queue = WorkQueue<@Sendable () -> Void>()
        self.queue = queue
        self.threads = (0..<max(1, count)).map { index in
            SystemThread(name: "\(name)-\(index)") {
                while let work = queue.take(upTo: 1).first {
                    work()
                }
            }
        }
    }

    /// Runs `work` and gives what it gives. The caller waits without holding a thread.
    ///
    /// Must not be called after `shutDown()`.
    public func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let accepted = queue.put {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            precondition(accepted, "BlockingExecutor used after its shutdown")
        }
        return try result.get()
    }

    /// Finishes what was handed in and ends the threads. Blocks; call once, at the end.
    public func shutDown() {
        queue.close()
        for thread in threads { thread.join() }
    }
}
