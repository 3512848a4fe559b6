import Platform
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct WorkQueueTests {
    @Test func firstInFirstOut() {
        let queue = WorkQueue<Int>()
        for number in 1...5 { #expect(queue.put(number)) }
        #expect(queue.count == 5)
        #expect(queue.take(upTo: 2) == [1, 2])
        #expect(queue.take(upTo: 9) == [3, 4, 5])
        #expect(queue.count == 0)
    }

    @Test func closingRefusesNewAndHandsOutOld() {
        let queue = WorkQueue<Int>()
        queue.put(1)
        queue.close()
        #expect(!queue.put(2))
        #expect(queue.take(upTo: 1) == [1])
        #expect(queue.take(upTo: 1).isEmpty)
        #expect(queue.take(upTo: 1).isEmpty)
        queue.close()
    }

    @Test func everyElementIsTakenOnceAndInItsProducersOrder() {
        let queue = WorkQueue<(producer: Int, number: Int)>()
        let taken = Mutex<[[(producer: Int, number: Int)]]>([])
        let consumers = (0..<4).map { index in
            SystemThread(name: "consumer-\(index)") {
                var mine: [(producer: Int, number: Int)] = []
                while case let items = queue.take(upTo: index * 3 + 1), !items.isEmpty { mine += items }
                taken.withLock { $0.append(mine) }
            }
        }
        let producers = (0..<6).map { producer in
            SystemThread(name: "producer-\(producer)") { for number in 0..<2000 { queue.put((producer, number)) } }
        }
        for thread in producers { thread.join() }
        queue.close()
        for thread in consumers { thread.join() }
        let lists = taken.withLock { $0 }
        #expect(lists.count == 4)
        #expect(Set(lists.joined().map { $0.producer * 10_000 + $0.number }).count == 12_000)
        #expect(lists.reduce(0) { $0 + $1.count } == 12_000)
        for list in lists {
            for producer in 0..<6 {
                let numbers = list.filter { $0.producer == producer }.map(\.number)
                #expect(numbers == numbers.sorted())
            }
        }
    }

    @Test func closingWakesAllWhoWait() {
        let queue = WorkQueue<Int>()
        let threads = (0..<8).map { index in SystemThread(name: "waiter-\(index)") { _ = queue.take(upTo: 1) } }
        queue.close()
        for thread in threads { thread.join() }
    }
}
