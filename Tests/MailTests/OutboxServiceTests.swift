import Mail
import Platform
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OutboxServiceTests {
    /// Runs a service while `body` works, stops it, and gives the log.
    @discardableResult
    private func running(
        _ store: ScriptedOutboxStore, _ transport: ScriptedTransport, composer: ScriptedComposer = ScriptedComposer(),
        metrics: Metrics = Metrics(), clock: WallClock = .system, _ change: (inout OutboxSettings) -> Void = { _ in },
        body: (OutboxService) async throws -> Void
    ) async throws -> [String] {
        var settings = OutboxSettings()
        settings.schedule = RetrySchedule(
            firstUnreachable: .milliseconds(20), firstDeferred: .milliseconds(30), longest: .milliseconds(400), lastCall: .milliseconds(100)
        )
        change(&settings)
        let lines = LogLines()
        let service = OutboxService(
            store: store, composer: composer, transport: transport, owner: "me", metrics: metrics,
            logger: Logger(level: .info, format: .text, sink: { line in lines.lines.withLock { $0.append(line) } }), settings: settings,
            clock: clock)
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
        #expect(transport.running.withLock { $0 } == 0)
        #expect(!store.states().contains(.leased), "nothing stays leased after a clean stop")
        return lines.lines.withLock { $0 }
    }

    private final class LogLines: Sendable {
        let lines = Mutex<[String]>([])
    }

    private func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = ContinuousClock.now + .seconds(30)
        while !condition(), .now < end { try? await Task.sleep(for: .milliseconds(2)) }
        #expect(condition(), sourceLocation: sourceLocation)
    }

    private func allSent(_ store: ScriptedOutboxStore) -> Bool { store.states().allSatisfy { $0 == .sent("250 ok") } }

    @Test func sendsTheOldestFirstAndEachOnce() async throws {
        let store = ScriptedOutboxStore()
        store.add(300)
        let transport = ScriptedTransport()
        try await running(store, transport) { _ in await eventually { allSent(store) } }
        #expect(transport.sent.withLock { $0 } == Array(1...300))
    }

    @Test func sendsWhatComesLaterWhenWoken() async throws {
        let store = ScriptedOutboxStore()
        let transport = ScriptedTransport(lanes: 2)
        try await running(store, transport) { service in
            try await Task.sleep(for: .milliseconds(50))
            for count in 1...5 {
                store.add(1)
                service.wake()
                await eventually { store.states().count { $0 == .sent("250 ok") } == count }
            }
        }
    }

    @Test func aThousandWakesAreNotAThousandClaims() async throws {
        let store = ScriptedOutboxStore(callTime: .milliseconds(5))
        let transport = ScriptedTransport()
        try await running(store, transport) { service in
            try await Task.sleep(for: .milliseconds(50))
            let before = store.contents.withLock { $0.claims }
            store.add(1)
            for _ in 0..<100_000 { service.wake() }
            await eventually { allSent(store) }
            #expect(store.contents.withLock { $0.claims } - before <= 30)
        }
    }

    @Test func anIdleOutboxDoesNotAskTheStore() async throws {
        let store = ScriptedOutboxStore()
        try await running(store, ScriptedTransport(lanes: 4)) { _ in
            await eventually { store.contents.withLock { $0.dueQueries } == 1 }
            let before = store.contents.withLock { ($0.claims, $0.dueQueries) }
            try await Task.sleep(for: .milliseconds(400))
            #expect(store.contents.withLock { ($0.claims, $0.dueQueries) } == before)
        }
    }

    @Test func wakesForWhatIsDueLater() async throws {
        let store = ScriptedOutboxStore()
        let due = WallClock.system.now() + .milliseconds(200)
        store.add(1, due: due)
        let sentAt = Mutex<UnixTime?>(nil)
        let transport = ScriptedTransport { _, _, _ in
            sentAt.withLock { $0 = WallClock.system.now() }
            return .accepted(reply: "250 ok")
        }
        try await running(store, transport) { _ in await eventually { allSent(store) } }
        let time = try #require(sentAt.withLock { $0 })
        // The upper bound tells a timer from the look that happens once a minute anyway.
        #expect(time >= due && time < due + .seconds(20))
    }

    @Test func settlesEachOutcomeAsItShould() async throws {
        let store = ScriptedOutboxStore()
        store.add(5)
        store.add(1, life: .zero)
        let metrics = Metrics()
        let transport = ScriptedTransport { _, message, number in
            switch message.entryID {
            case 1: .recipientRefused(reply: "550 5.1.1 no", status: EnhancedStatus(5, 1, 1))
            case 2: number < 7 ? .deferred(reply: "450 later") : .accepted(reply: "250 ok")
            case 3: .accepted(reply: "250 ok")
            default: .accepted(reply: "250 ok")
            }
        }
        try await running(store, transport, composer: ScriptedComposer(drops: [4]), metrics: metrics) { _ in
            await eventually { !store.states().contains { $0 == .waiting || $0 == .leased } }
        }
        #expect(
            store.states() == [
                .failed("550 5.1.1 no"), .sent("250 ok"), .sent("250 ok"), .dropped("used"), .sent("250 ok"), .dropped("expired"),
            ])
        let text = metrics.render()
        #expect(text.contains("postern_mail_deliveries_total{outcome=\"accepted\"} 3"))
        #expect(text.contains("postern_mail_deliveries_total{outcome=\"refused\"} 1"))
        #expect(text.contains("postern_mails_dropped_total 2"))
        // A deferred mail did not keep the others: they went out before its second attempt.
        #expect(transport.sent.withLock { Array($0.prefix(5)) } == [1, 2, 3, 5, 2])
    }

    @Test func givesUpBeforeTheCodeExpires() async throws {
        // The clock jumps from one attempt to the next, so that a busy machine makes no attempt late.
        let clock = ManualClock()
        let start = clock.now
        let store = ScriptedOutboxStore()
        store.add(1, now: start, life: .milliseconds(600))
        let transport = ScriptedTransport { _, _, _ in .deferred(reply: "450 later") }
        try await running(store, transport, clock: clock.wallClock) { service in
            await eventually {
                guard let row = store.contents.withLock({ $0.rows[1] }) else { return true }
                if case .failed = row.state { return true }
                if row.state == .waiting, row.due > clock.now {
                    clock.set(row.due)
                    service.wake()
                }
                return false
            }
        }
        #expect(store.states() == [.failed("450 later (no time left before the code expires)")])
        #expect(clock.now == start + .milliseconds(500), "the last attempt is made at the last call")
        #expect((2...8).contains(transport.sent.withLock { $0.count }))
    }

    @Test func aDeadServerCostsFewAttemptsAndIsFoundAgain() async throws {
        let store = ScriptedOutboxStore()
        store.add(1000)
        let isUp = Mutex(false)
        let transport = ScriptedTransport(lanes: 4) { _, _, _ in
            isUp.withLock { $0 } ? .accepted(reply: "250 ok") : .unreachable(reason: "connection refused")
        }
        let log = try await running(store, transport) { service in
            await eventually { service.status.isPaused }
            try await Task.sleep(for: .milliseconds(500))
            #expect(!service.isHealthy)
            #expect(service.status.lastFailureReason == "connection refused")
            #expect(service.status.lastSuccess == nil)
            // Four lanes and a probe now and then, not a thousand.
            #expect(transport.sent.withLock { $0.count } < 30)
            isUp.withLock { $0 = true }
            await eventually { allSent(store) }
            #expect(service.isHealthy)
            #expect(service.status.consecutiveFailures == 0)
        }
        #expect(log.count { $0.contains("no mail server found") } == 1)
        #expect(log.count { $0.contains("mail server found again") } == 1)
        #expect(store.contents.withLock { $0.rows.values.count { $0.entry.attempts > 1 } } < 30, "what was released does not count")
    }

    @Test(arguments: [false, true])
    func losesNoSettlementWhileTheStoreFails(_ overlaps: Bool) async throws {
        let store = ScriptedOutboxStore()
        store.add(200)
        let transport = ScriptedTransport(lanes: 4, overlaps: overlaps)
        let log = try await running(store, transport) { service in
            await eventually { transport.sent.withLock { $0.count } > 20 }
            store.fail(3)
            await eventually { allSent(store) }
            await eventually { service.status.storeFailure == nil }
        }
        #expect(transport.sorted == Array(1...200), "each was sent once")
        #expect(log.count { $0.contains("outbox store fails") } <= 2)
    }

    @Test func startsWithAStoreThatFails() async throws {
        let store = ScriptedOutboxStore()
        store.add(10)
        store.fail(3)
        let log = try await running(store, ScriptedTransport()) { _ in await eventually { allSent(store) } }
        #expect(log.count { $0.contains("outbox store fails") } == 1)
        #expect(log.count { $0.contains("outbox store works again") } == 1)
    }

    @Test func takesOverFromACrashedProcess() async throws {
        let store = ScriptedOutboxStore()
        store.add(20, due: WallClock.system.now() + .seconds(100), leasedTo: "a process that is no more")
        try await running(store, ScriptedTransport()) { _ in await eventually { allSent(store) } }
        #expect(store.contents.withLock { $0.rows.values.allSatisfy { $0.entry.attempts == 2 } })
    }

    @Test func leavesOthersLeasesAloneWhenToldSo() async throws {
        let store = ScriptedOutboxStore()
        store.add(1, due: WallClock.system.now() + .milliseconds(1500), leasedTo: "another")
        let transport = ScriptedTransport()
        try await running(store, transport) {
            $0.takesOverLeases = false
        } body: { _ in
            try await Task.sleep(for: .milliseconds(150))
            #expect(transport.sent.withLock { $0.isEmpty })
            await eventually { allSent(store) }
        }
    }

    @Test(arguments: [false, true])
    func stopsCleanlyInTheMiddle(_ overlaps: Bool) async throws {
        let store = ScriptedOutboxStore()
        store.add(2000)
        let transport = ScriptedTransport(lanes: 3, overlaps: overlaps) { _, _, _ in
            try? await Task.sleep(for: .milliseconds(3))
            return .accepted(reply: "250 ok")
        }
        try await running(store, transport) { _ in await eventually { transport.sent.withLock { $0.count } > 50 } }
        let sent = transport.sent.withLock { Set($0) }
        #expect(sent.count < 2000)
        #expect(transport.sent.withLock { $0.count } == sent.count)
        for (index, state) in store.states().enumerated() {
            #expect(state == (sent.contains(Int64(index + 1)) ? .sent("250 ok") : .waiting))
        }
        #expect(store.contents.withLock { $0.rows.values.allSatisfy { $0.state != .waiting || $0.entry.attempts == 0 } })
    }

    @Test func stopsThoughTheStoreIsDead() async throws {
        let store = ScriptedOutboxStore()
        store.add(1)
        let transport = ScriptedTransport()
        var settings = OutboxSettings()
        settings.stopGrace = .milliseconds(100)
        let service = OutboxService(
            store: store, composer: ScriptedComposer(),
            transport: ScriptedTransport { _, _, _ in
                store.fail(.max)
                return .accepted(reply: "250 ok")
            }, owner: "me", metrics: Metrics(), logger: .silent, settings: settings)
        let shutdown = Shutdown()
        async let run: Void = service.run(until: shutdown)
        await eventually { !service.isHealthy }
        shutdown.trigger()
        try await run
        #expect(store.states() == [.leased], "it will be sent again: twice is better than never")
        #expect(transport.running.withLock { $0 } == 0)
    }

    @Test func handsNothingOutWhoseLeaseMayEnd() async throws {
        // Time passes only as mails are sent, a second each.
        let seconds = Atomic<Int64>(1_000_000)
        let clock = WallClock { UnixTime(seconds: seconds.load(ordering: .sequentiallyConsistent)) }
        let store = ScriptedOutboxStore()
        store.add(40, now: clock.now())
        let shortest = Mutex(Duration.seconds(99))
        let transport = ScriptedTransport { _, message, _ in
            let lease = store.contents.withLock { $0.rows[message.entryID]?.due } ?? UnixTime(seconds: 0)
            shortest.withLock { $0 = min($0, lease - clock.now()) }
            seconds.add(1, ordering: .sequentiallyConsistent)
            return .accepted(reply: "250 ok")
        }
        try await running(store, transport, clock: clock) {
            $0.lease = .seconds(10)
            $0.deliveryTime = .seconds(4)
        } body: { _ in
            await eventually { allSent(store) }
        }
        #expect(shortest.withLock { $0 } == .seconds(5))
        #expect(transport.sorted == Array(1...40), "a lease that ran out is no second mail")
        #expect(store.contents.withLock { $0.settled.contains { $0.state == .released } }, "what could not be sent in time went back")
        #expect(store.contents.withLock { $0.rows.values.allSatisfy { $0.entry.attempts == 1 } })
    }

    @Test func aDeliveryLongerThanItsLeaseIsNotStartedTwice() async throws {
        let store = ScriptedOutboxStore()
        store.add(3)
        let transport = ScriptedTransport(lanes: 4) { _, _, _ in
            try? await Task.sleep(for: .milliseconds(500))
            return .accepted(reply: "250 ok")
        }
        try await running(store, transport) {
            $0.lease = .milliseconds(150)
            $0.deliveryTime = .milliseconds(20)
        } body: { service in
            for _ in 0..<45 {
                service.wake()
                try await Task.sleep(for: .milliseconds(10))
            }
            await eventually { allSent(store) }
        }
        #expect(transport.sorted == [1, 2, 3])
        #expect(store.contents.withLock { $0.rows.values.allSatisfy { $0.entry.attempts > 1 } }, "their leases did run out")
    }

    @Test(arguments: [false, true])
    func sendsTenThousandThroughEightLanes(_ overlaps: Bool) async throws {
        let store = ScriptedOutboxStore()
        store.add(10_000)
        let transport = ScriptedTransport(lanes: 8, overlaps: overlaps)
        try await running(store, transport) { _ in await eventually { transport.sent.withLock { $0.count } >= 10_000 && allSent(store) } }
        // Claims and not seconds, which depend on what else the machine does; a wait for each mail would end in `eventually`.
        #expect(store.contents.withLock { $0.claims } < 200)
        #expect(transport.sorted == Array(1...10_000))
        let settled = store.contents.withLock { $0.settled }
        #expect(settled.count == 10_000)
    }

    @Test func concurrentSettlementsShareACall() async throws {
        let store = ScriptedOutboxStore(callTime: .milliseconds(5))
        store.add(400)
        try await running(store, ScriptedTransport(lanes: 8)) { _ in await eventually { allSent(store) } }
        #expect(store.contents.withLock { $0.settleCalls } < 250)
    }

    @Test func aLaneThatEndsByItselfLosesNothing() async throws {
        let store = ScriptedOutboxStore()
        store.add(3)
        let log = try await running(store, ScriptedTransport(deserts: true)) { _ in await eventually { allSent(store) } }
        #expect(log.count { $0.contains("mail lane ended by itself") } == 1)
    }

    @Test func purgesOldEntries() async throws {
        let store = ScriptedOutboxStore()
        store.add(500)
        try await running(store, ScriptedTransport(lanes: 2)) {
            $0.retention = .milliseconds(200)
            $0.purgeInterval = .milliseconds(100)
        } body: { _ in
            await eventually { store.states().isEmpty }
        }
    }
}
