/// One thread as a home for tasks that block: `Task(executorPreference: executor)` runs there, and comes back there after each `await`.
///
/// For code that is a sequence of blocking C calls with waits in between, such as a mail lane. Other tasks on the same executor wait.
public final class ThreadExecutor: TaskExecutor {
    private let queue = WorkQueue<UnownedJob>()

    /// Starts the thread; it ends once the executor is gone and its jobs are done. `name` as in `SystemThread`.
    public init(name: String) {
        let queue = queue
        // The thread holds the queue and not the executor, so that the executor can go; a job's task holds the executor while it runs.
        _ = SystemThread(name: name) { [weak self] in
            while case let jobs = queue.take(upTo: .max), !jobs.isEmpty {
                for job in jobs {
                    guard let self else { preconditionFailure("a task has outlived the executor it holds") }
                    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Called by the runtime when a job may run.
    public func enqueue(_ job: consuming ExecutorJob) {
        queue.put(UnownedJob(job))
    }
}
