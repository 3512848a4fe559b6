import Platform
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
    @Test func wakesEverybodyAndStaysGiven() async {
        let shutdown = Shutdown()
        #expect(!shutdown.isTriggered)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await shutdown.wait() } }
            group.addTask { shutdown.trigger() }
        }
        #expect(shutdown.isTriggered)
        shutdown.trigger()
        await shutdown.wait()
    }
}

@Suite(.timeLimit(.minutes(1))) struct ServiceGroupTests {
    private struct Failure: Error, Equatable {
        let name: String
    }

    private final class Events: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ event: String) { list.withLock { $0.append(event) } }
        var all: [String] { list.withLock { $0 } }
    }

    private struct Recorded: Service {
        let name: String
        let events: Events
        var fails = false
        var endsEarly = false
        let started = Shutdown()

        func run(until shutdown: Shutdown) async throws {
            started.trigger()
            if !endsEarly { await shutdown.wait() }
            events.add("\(name) stops")
            // Time in which a group that does not wait for it would have gone on to the next.
            try? await Task.sleep(for: .milliseconds(20))
            events.add("\(name) ended")
            if fails { throw Failure(name: name) }
        }
    }

    private let events = Events()

    @Test func stopsTheLastFirstAndEachBeforeTheNext() async throws {
        let services = ["store", "outbox", "http"].map { Recorded(name: $0, events: events) }
        let shutdown = Shutdown()
        async let run: Void = ServiceGroup(services).run(until: shutdown)
        for service in services { await service.started.wait() }
        #expect(events.all.isEmpty)
        shutdown.trigger()
        try await run
        #expect(events.all == ["http stops", "http ended", "outbox stops", "outbox ended", "store stops", "store ended"])
    }

    @Test func oneThatEndsByItselfStopsAll() async throws {
        let services = [
            Recorded(name: "store", events: events), Recorded(name: "outbox", events: events, endsEarly: true),
            Recorded(name: "http", events: events),
        ]
        let shutdown = Shutdown()
        try await ServiceGroup(services).run(until: shutdown)
        #expect(shutdown.isTriggered)
        #expect(Array(events.all.suffix(2)) == ["store stops", "store ended"])
        #expect(events.all.count == 6)
    }

    @Test func theFirstErrorIsThrownAfterAllHaveStopped() async {
        let services = [
            Recorded(name: "store", events: events, fails: true), Recorded(name: "outbox", events: events),
            Recorded(name: "http", events: events, fails: true, endsEarly: true),
        ]
        await #expect(throws: Failure(name: "http")) { try await ServiceGroup(services).run(until: Shutdown()) }
        #expect(events.all == ["http stops", "http ended", "outbox stops", "outbox ended", "store stops", "store ended"])
    }

    @Test func nothingToRunEndsWithTheSignal() async throws {
        let shutdown = Shutdown()
        shutdown.trigger()
        try await ServiceGroup([]).run(until: shutdown)
    }

    @Test func aSignalGivenBeforeTheStartStopsAtOnce() async throws {
        let shutdown = Shutdown()
        shutdown.trigger()
        try await ServiceGroup([Recorded(name: "store", events: events)]).run(until: shutdown)
        #expect(events.all == ["store stops", "store ended"])
    }
}
