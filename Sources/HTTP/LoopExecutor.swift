internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The part of a loop that other threads may touch: what it has to do besides connections, and how to wake it.
///
/// It is a task executor (SE-0417), so the handlers of a loop's connections run on the loop's own thread: their answers need no lock, no
/// second thread and no wake-up.
final class LoopExecutor: TaskExecutor {
    /// How far shutdown has come.
    enum Stage: Comparable {
        case serving
        /// Finish what is in flight.
        case draining
        /// Answer what is in flight with 503.
        case forced
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var answered: [UInt64] = []
        var stage = Stage.serving
        var sleeping = false
        var closed = false
    }

    private let state = Mutex(State())
    private let wakeUp: Int32
    /// Connections open now.
    let connections = Atomic<Int>(0)
    /// Requests between their first line and the end of their answer.
    let inFlight = Atomic<Int>(0)

    init() throws(HTTPServerError) {
        wakeUp = postern_event_descriptor()
        guard wakeUp >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(wakeUp)
    }

    /// Called by the Swift runtime from any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let accepted = withStateThenWake { state in
            if !state.closed { state.jobs.append(job) }
            return !state.closed
        }
        // Only a handler that outlasted the shutdown gets here. Its answer is dropped, but it must come to an end somewhere.
        if !accepted { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// A suspended connection's answer is there.
    func noteAnswer(_ exchange: UInt64) {
        withStateThenWake { $0.answered.append(exchange) }
    }

    /// Moves shutdown on; it never goes back.
    func advance(to stage: Stage) {
        withStateThenWake { $0.stage = max($0.stage, stage) }
    }

    /// Runs the jobs that are there now; those they add are for the next time. Gives the exchanges answered so far. Loop thread only.
    func runJobs() -> (answered: [UInt64], stage: Stage) {
        var jobs: [UnownedJob] = []
        state.withLock { swap(&jobs, &$0.jobs) }
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        return state.withLock { state in
            defer { state.answered.removeAll(keepingCapacity: true) }
            return (state.answered, state.stage)
        }
    }

    /// Waits until `descriptor` is readable, somebody has work for the loop, or `milliseconds` (-1: never) are over. Loop thread only.
    func wait(descriptor: Int32, milliseconds: Int32, stage: Stage) {
        let mayBlock = state.withLock { state in
            state.sleeping = milliseconds != 0 && state.jobs.isEmpty && state.answered.isEmpty && state.stage == stage
            return state.sleeping
        }
        guard mayBlock else { return }
        var waiting = (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        )
        _ = unsafe withUnsafeMutableBytes(of: &waiting) {
            unsafe poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
        }
        state.withLock { $0.sleeping = false }
        if waiting.1.revents != 0 {
            var count: UInt64 = 0
            _ = unsafe read(wakeUp, &count, 8)
        }
    }

    /// Sends later jobs elsewhere, and runs what is there. Loop thread only, last thing.
    func finish() {
        state.withLock { $0.closed = true }
        _ = runJobs()
    }

    /// One write to the eventfd per sleep, however many callers; none while the loop is awake, since it looks here before it sleeps.
    private func withStateThenWake<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        var wake = false
        let result = state.withLock { state in
            let result = body(&state)
            wake = state.sleeping
            state.sleeping = false
            return result
        }
        if wake {
            var one: UInt64 = 1
            _ = unsafe write(wakeUp, &one, 8)
        }
        return result
    }
}
