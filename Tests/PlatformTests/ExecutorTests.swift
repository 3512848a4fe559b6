import Glibc
import Platform
import Synchronization
import Testing

/// A number that closures may share.
private final class Count: Sendable {
    private let atomic = Atomic<Int>(0)

    var value: Int { atomic.load(ordering: .sequentiallyConsistent) }
    @discardableResult func add(_ amount: Int = 1) -> Int { atomic.add(amount, ordering: .sequentiallyConsistent).newValue }
    func raise(to number: Int) { atomic.max(number, ordering: .sequentiallyConsistent) }
}

@Suite(.timeLimit(.minutes(1))) struct BlockingExecutorTests {
    private struct Refused: Error, Equatable {
        let number: Int
    }

    @Test func givesWhatTheWorkGives() async throws {
        let executor = BlockingExecutor(name: "test", threads: 2)
        defer { executor.shutDown() }
        #expect(await executor.run { 42 } == 42)
        await #expect(throws: Refused(number: 7)) { try await executor.run { () throws(Refused) -> Int in throw Refused(number: 7) } }
    }

    /// Each piece of work waits until as many as there are threads are in, so fewer would never end, and more would be counted.
    @Test func asManyAtOnceAsItHasThreads() async {
        let executor = BlockingExecutor(name: "test", threads: 3)
        let running = Count()
        let most = Count()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    await executor.run {
                        let now = running.add()
                        most.raise(to: now)
                        while most.value < 3 { usleep(100) }
                        usleep(200)
                        running.add(-1)
                    }
                }
            }
        }
        executor.shutDown()
        #expect(most.value == 3)
    }

    @Test func noneIsOne() async {
        let executor = BlockingExecutor(name: "test", threads: 0)
        #expect(await executor.run { true })
        executor.shutDown()
    }

    @Test func shuttingDownFinishesWhatWasHandedIn() async {
        let executor = BlockingExecutor(name: "test", threads: 1)
        let done = Count()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await executor.run {
                        usleep(500)
                        done.add()
                    }
                }
            }
        }
        executor.shutDown()
        #expect(done.value == 20)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ThreadExecutorTests {
    @Test func runsOnItsOneThreadAndComesBackToIt() async {
        let executor = ThreadExecutor(name: "test-lane")
        let threads = await Task(executorPreference: executor) {
            var threads: Set<UInt> = []
            for _ in 0..<20 {
                threads.insert(UInt(pthread_self()))
                try? await Task.sleep(for: .milliseconds(1))
                await Task.yield()
            }
            return threads
        }.value
        #expect(threads.count == 1)
        #expect(!threads.contains(UInt(pthread_self())))
    }

    @Test func blockingItHoldsUpNobodyElse() async {
        let executors = (0..<8).map { ThreadExecutor(name: "lane-\($0)") }
        let inside = Count()
        await withTaskGroup(of: Void.self) { group in
            for executor in executors {
                group.addTask(executorPreference: executor) {
                    inside.add()
                    // Ends only when all eight block at the same time, which the shared pool could not give them.
                    while inside.value < 8 { usleep(100) }
                }
            }
        }
        #expect(inside.value == 8)
    }

    @Test func manyComeAndGo() async {
        for number in 0..<50 {
            let executor = ThreadExecutor(name: "short")
            #expect(await Task(executorPreference: executor) { number }.value == number)
        }
    }
}
