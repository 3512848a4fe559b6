internal import Glibc
internal import Mail
internal import Platform
internal import Synchronization

/// The one thread that writes. All jobs that wait when it becomes free share a transaction, and so one write to the disk.
///
/// Nobody hears of a job before its commit is as durable as the job asks for: a group in which all are content with `process` skips the wait
/// for the disk, and takes nobody else in once it has begun. A job that throws takes its changes with it and nobody else's: the group is rolled
/// back and each of its jobs runs again in a transaction of its own, which is why bodies may run twice.
final class GroupCommitWriter: Sendable {
    /// At most this many jobs share a transaction, so that the first one does not wait for ever.
    static let largestGroup = 256

    /// Whether the disk took the last transaction.
    var lastCommitFailed: Bool { health.hasFailed.load(ordering: .relaxed) }

    private let health: Health
    private let queue: WorkQueue<any WriteJob>
    private let thread: SystemThread

    /// Starts the thread, which owns `transaction` and its connection from here on, and `lock` for as long as it may write.
    init(_ transaction: SQLiteTransaction, keeping lock: ServingLock?) {
        let queue = WorkQueue<any WriteJob>()
        let health = Health()
        self.queue = queue
        self.health = health
        self.thread = SystemThread(name: "sqlite-write") {
            withExtendedLifetime(lock) { Self.serve(queue, transaction, health) }
        }
    }

    private final class Health: Sendable {
        let hasFailed = Atomic<Bool>(false)
    }

    deinit {
        queue.close()
    }

    /// Runs `body` in a transaction; as durable as asked for when this returns.
    func write<Value: Sendable>(
        _ durability: Connection.Durability = .disk, _ body: @escaping @Sendable (SQLiteTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            if !queue.put(Write(durability: durability, body: body, completion: { continuation.resume(returning: $0) })) {
                continuation.resume(returning: .failure(.stopped))
            }
        }
        return try result.get()
    }

    /// Hands in a last job; call before `stop`, during which `completion` learns whether it is on the disk.
    func finish(
        _ body: @escaping @Sendable (SQLiteTransaction) throws(StoreError) -> Void,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        queue.put(Write(durability: .disk, body: body, completion: completion))
    }

    /// Commits what was handed in and ends the thread, which gives up the connection. Blocks; call once.
    func stop() {
        queue.close()
        thread.join()
    }

    // MARK: The thread

    private static func serve(_ queue: WorkQueue<any WriteJob>, _ transaction: SQLiteTransaction, _ health: Health) {
        var pace = CommitPace()
        while case let first = queue.take(upTo: largestGroup), !first.isEmpty {
            let jobs = runTogether(first, from: queue, transaction, &pace)
            health.hasFailed.store(jobs.allSatisfy(\.hasFailed), ordering: .relaxed)
            for job in jobs { job.deliver() }
        }
    }

    /// Runs `first` and whatever else comes in time in one transaction; gives all of them, each with its result.
    private static func runTogether(
        _ first: [any WriteJob], from queue: WorkQueue<any WriteJob>, _ transaction: SQLiteTransaction, _ pace: inout CommitPace
    ) -> [any WriteJob] {
        let connection = transaction.connection
        var jobs = first
        let durability: Connection.Durability = jobs.contains { $0.durability == .disk } ? .disk : .process
        do throws(StoreError) {
            try connection.beginWriting(durability)
        } catch {
            for job in jobs { job.fail(error) }
            return jobs
        }
        let deadline = ContinuousClock.now + pace.patience
        var done = 0
        while true {
            while done < jobs.count {
                let job = jobs[done]
                done += 1
                // A body that caught an error and went on has not done what it meant to either.
                guard job.run(transaction), !connection.hasFailed else {
                    connection.rollBack()
                    for job in jobs { runAlone(job, transaction) }
                    return jobs
                }
            }
            if durability == .process {
                // Waiting for company would cost more than another such commit.
                break
            } else if queue.count > 0, jobs.count < largestGroup {
                jobs += queue.take(upTo: largestGroup - jobs.count)
            } else if jobs.count < pace.company, jobs.count < largestGroup, ContinuousClock.now < deadline {
                usleep(30)
            } else {
                break
            }
        }
        let start = ContinuousClock.now
        do throws(StoreError) {
            try connection.commit()
            if durability == .disk { pace.committed(jobs: jobs.count, in: ContinuousClock.now - start) }
        } catch {
            for job in jobs { job.fail(error) }
        }
        return jobs
    }

    private static func runAlone(_ job: any WriteJob, _ transaction: SQLiteTransaction) {
        let connection = transaction.connection
        do throws(StoreError) {
            try connection.beginWriting(job.durability)
            if job.run(transaction), !connection.hasFailed {
                try connection.commit()
            } else {
                connection.failAndRollBack(job)
            }
        } catch {
            job.fail(error)
        }
    }
}

extension Connection {
    /// Undoes a job's transaction and lets the job have the error behind it, even when its body has caught it.
    fileprivate func failAndRollBack(_ job: any WriteJob) {
        if let failure { job.fail(failure) }
        rollBack()
    }
}

/// What waits for the writer.
private protocol WriteJob: AnyObject, Sendable {
    /// What its commit must survive.
    var durability: Connection.Durability { get }
    /// Runs the body and keeps what it gives; false when it threw. May be called again after a rollback.
    func run(_ transaction: SQLiteTransaction) -> Bool
    /// Whether it has an error for its caller.
    var hasFailed: Bool { get }
    /// Puts an error in place of the result.
    func fail(_ error: StoreError)
    /// Lets the caller go on. Once, last.
    func deliver()
}

/// `@unchecked Sendable` because the queue hands it from its maker, who keeps nothing of it, to the writer's thread, which alone uses it.
private final class Write<Value: Sendable>: WriteJob, @unchecked Sendable {
    let durability: Connection.Durability
    private let body: @Sendable (SQLiteTransaction) throws(StoreError) -> Value
    private let completion: @Sendable (Result<Value, StoreError>) -> Void
    private var result = Result<Value, StoreError>.failure(.stopped)

    init(
        durability: Connection.Durability, body: @escaping @Sendable (SQLiteTransaction) throws(StoreError) -> Value,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        self.durability = durability
        self.body = body
        self.completion = completion
    }

    func run(_ transaction: SQLiteTransaction) -> Bool {
        do throws(StoreError) {
            result = .success(try body(transaction))
            return true
        } catch {
            result = .failure(error)
            return false
        }
    }

    var hasFailed: Bool { if case .failure = result { true } else { false } }

    func fail(_ error: StoreError) { result = .failure(error) }

    func deliver() { completion(result) }
}
