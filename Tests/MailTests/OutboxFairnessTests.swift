import Mail
import Platform
import Synchronization
import TestSupport
import Testing

/// Mails that cannot go, for whatever reason, and those that can.
@Suite(.timeLimit(.minutes(1))) struct OutboxFairnessTests {
    /// Runs a service while `body` works, then stops it.
    private func running(
        _ store: ScriptedOutboxStore, _ transport: ScriptedTransport, _ change: (inout OutboxSettings) -> Void = { _ in },
        body: (OutboxService) async throws -> Void
    ) async throws {
        var settings = OutboxSettings()
        settings.schedule = RetrySchedule(
            firstUnreachable: .milliseconds(20), firstDeferred: .milliseconds(30), firstOperatorMustAct: .milliseconds(300),
            longest: .milliseconds(800), lastCall: .milliseconds(100))
        settings.congestionPause = .milliseconds(200)
        change(&settings)
        let service = OutboxService(
            store: store, composer: ScriptedComposer(), transport: transport, owner: "me", metrics: Metrics(), logger: .silent,
            settings: settings)
        let shutdown = Shutdown()
        async let run: Void = service.run(until: shutdown)
        do {
            try await body(service)
        } catch {
            shutdown.trigger()
            try await run
            throw error
        }
        shutdown.trigger()
        try await run
        #expect(!store.states().contains(.leased), "nothing stays leased after a clean stop")
    }

    private func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = ContinuousClock.now + .seconds(30)
        while !condition(), .now < end { try? await Task.sleep(for: .milliseconds(2)) }
        #expect(condition(), sourceLocation: sourceLocation)
    }

    private func count(_ store: ScriptedOutboxStore, _ domain: String, _ state: ScriptedOutboxStore.State) -> Int {
        store.contents.withLock { $0.rows.values.count { $0.entry.recipientDomain == domain && $0.state == state } }
    }

    private static let ok = ScriptedOutboxStore.State.sent("250 ok")

    @Test(arguments: [2, 4, 8], [false, true])
    func aDomainThatStallsDoesNotKeepTheOthers(_ lanes: Int, _ overlaps: Bool) async throws {
        let store = ScriptedOutboxStore()
        // More than the outbox keeps at hand.
        store.add(2000, domain: "stall.example")
        store.add(100, domain: "a.example")
        store.add(100, domain: "b.example")
        let release = Mutex(false)
        let transport = ScriptedTransport(lanes: lanes, overlaps: overlaps) { _, message, _ in
            while message.entryID <= 2000, !release.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(10)) }
            return .accepted(reply: "250 ok")
        }
        try await running(store, transport) { _ in
            await eventually { count(store, "a.example", Self.ok) + count(store, "b.example", Self.ok) == 200 }
            #expect(count(store, "stall.example", Self.ok) == 0)
            // What comes now does not wait either.
            store.add(1, domain: "c.example")
            await eventually { count(store, "c.example", Self.ok) == 1 }
            release.withLock { $0 = true }
            await eventually { count(store, "stall.example", Self.ok) == 2000 }
        }
        #expect(store.contents.withLock { $0.rows.values.allSatisfy { $0.entry.attempts <= 1 } }, "waiting is no attempt")
    }

    @Test func aRejectedSenderStopsItsRouteOnly() async throws {
        let store = ScriptedOutboxStore()
        store.add(300, domain: "strict.example")
        store.add(50, domain: "a.example")
        let isMended = Mutex(false)
        let transport = ScriptedTransport(lanes: 4) { _, message, _ in
            message.entryID <= 300 && !isMended.withLock { $0 }
                ? .senderRefused(reply: "550 5.7.26 unauthenticated", scope: .recipientDomain) : .accepted(reply: "250 ok")
        }
        try await running(store, transport) { service in
            await eventually { count(store, "a.example", Self.ok) == 50 }
            await eventually { count(store, "strict.example", .waiting) == 300 }
            let tried = transport.sorted.count { $0 <= 300 }
            #expect(tried <= 12, "\(tried) mails were tried in vain")
            #expect(!service.isHealthy)
            #expect(service.status.rejectedSenders.map(\.recipientDomain) == ["strict.example"])
            #expect(service.status.rejectedSenders.first?.reply == "550 5.7.26 unauthenticated")
            isMended.withLock { $0 = true }
            await eventually { count(store, "strict.example", Self.ok) == 300 }
            #expect(service.isHealthy)
            #expect(service.status.rejectedSenders.isEmpty)
        }
    }

    @Test func aRejectedProjectWaitsEverywhere() async throws {
        let store = ScriptedOutboxStore()
        store.add(30, domain: "a.example")
        store.add(30, domain: "b.example")
        let transport = ScriptedTransport { _, _, _ in .senderRefused(reply: "550 5.7.1 not yours", scope: .project) }
        try await running(store, transport) {
            $0.schedule.firstOperatorMustAct = .seconds(100)
            $0.schedule.longest = .seconds(600)
        } body: { service in
            await eventually { service.status.rejectedSenders.map(\.recipientDomain) == [nil] }
            await eventually { store.states().allSatisfy { $0 == .waiting } }
            #expect(transport.sorted.count == 1, "one lane, one mail")
        }
    }
}
