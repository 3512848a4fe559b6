internal import Platform

/// Keeps the lanes in messages: claims entries when they are due and wanted, and has them composed.
final class OutboxFeeder: Sendable {
    private let store: any OutboxStore
    private let composer: any MailComposer
    private let owner: String
    private let settings: OutboxSettings
    private let clock: WallClock
    private let logger: Logger
    private let health: OutboxHealth
    private let agenda: OutboxAgenda
    private let dispatch: OutboxDispatch
    private let writer: SettlementWriter
    private let dropped: Metrics.Counter

    init(
        store: any OutboxStore, composer: any MailComposer, owner: String, settings: OutboxSettings, clock: WallClock, logger: Logger,
        health: OutboxHealth, agenda: OutboxAgenda, dispatch: OutboxDispatch, writer: SettlementWriter, metrics: Metrics
    ) {
        self.store = store
        self.composer = composer
        self.owner = owner
        self.settings = settings
        self.clock = clock
        self.logger = logger
        self.health = health
        self.agenda = agenda
        self.dispatch = dispatch
        self.writer = writer
        self.dropped = metrics.counter("postern_mails_dropped_total", help: "Mails not sent because they had become pointless.")
    }

    /// Feeds until the dispatch is closed.
    func run() async {
        await takeOverLeases()
        var pause = Duration.zero
        while !dispatch.isClosed {
            do throws(StoreError) {
                try await feedOnce()
                pause = .zero
            } catch {
                pause = min(max(pause * 2, .milliseconds(100)), .seconds(10))
                await rest(for: pause)
                agenda.note(clock.now())
            }
        }
    }

    /// One look: claims if something may be due, else asks when, else sleeps.
    private func feedOnce() async throws(StoreError) {
        let now = clock.now()
        let (limit, again) = dispatch.appetite(now: now)
        if limit > 0 {
            if agenda.takeDue(now: now) { return try await claim(limit) }
            if !agenda.isComplete {
                let due = try await watched(.read) { () async throws(StoreError) in try await store.nextOutboxDueTime() }
                // What is due already was not in the last claim, so it is not ours to have yet; never look again at once.
                agenda.complete(with: due.map { max($0, now + .milliseconds(20)) })
                return
            }
        }
        // Now and then the store is asked anyway: clocks jump, and other machines add entries.
        let longest = now + settings.attention
        let until = min(longest, again ?? longest, limit > 0 ? agenda.due ?? longest : longest)
        await agenda.sleep(for: until - clock.now())
        if clock.now() >= longest { agenda.forgetDue() }
    }

    private func claim(_ limit: Int) async throws(StoreError) {
        let now = clock.now()
        let leaseEnd = now + settings.lease
        // Should the claim fail, it is due again as soon as the feeder has rested.
        let claimed = try await watched(.claim) { () async throws(StoreError) in
            try await store.claimOutbox(now: now, limit: limit, owner: owner, leaseEnd: leaseEnd)
        }
        if claimed.count >= limit { agenda.note(now) }
        var entries = dispatch.admit(claimed, limit: limit, now: now)[...]
        while !entries.isEmpty {
            // In pieces, so that the first mails of a large claim do not wait for the last to be composed.
            let piece = entries.prefix(64)
            guard dispatch.accepts(now: clock.now()) else { return release(entries) }
            do throws(StoreError) {
                try await compose(Array(piece), leaseEnd: leaseEnd)
            } catch {
                release(entries)
                throw error
            }
            entries = entries.dropFirst(piece.count)
        }
    }

    private func compose(_ entries: [OutboxEntry], leaseEnd: UnixTime) async throws(StoreError) {
        let now = clock.now()
        let living = entries.filter { $0.expiresAt > now }
        let compositions =
            living.isEmpty ? [] : try await watched(.read) { () async throws(StoreError) in try await composer.compose(living) }
        precondition(compositions.count == living.count, "a composer gives one composition for each entry")
        var settlements = entries.filter { $0.expiresAt <= now }.map { OutboxSettlement(id: $0.id, state: .dropped(reason: "expired")) }
        var messages: [OutgoingMessage] = []
        messages.reserveCapacity(living.count)
        for (entry, composition) in zip(living, compositions) {
            switch composition {
            case .message(let message):
                precondition(message.entryID == entry.id, "a composer keeps the order of the entries")
                messages.append(message)
            case .drop(let reason): settlements.append(OutboxSettlement(id: entry.id, state: .dropped(reason: reason)))
            }
        }
        dropped.add(settlements.count)
        writer.writeSoon(settlements)
        dispatch.offer(messages, leaseEnd: leaseEnd)
    }

    private func release(_ entries: ArraySlice<OutboxEntry>) {
        writer.writeSoon(entries.map { OutboxSettlement(id: $0.id, state: .released) })
    }

    /// Lets the health know how a call to the store went.
    private func watched<Value>(
        _ work: OutboxHealth.StoreWork, _ call: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            let value = try await call()
            health.storeWorked(work)
            return value
        } catch {
            health.storeFailed(work, error)
            throw error
        }
    }

    private func takeOverLeases() async {
        guard settings.takesOverLeases else { return }
        var pause = Duration.milliseconds(100)
        while !dispatch.isClosed {
            do throws(StoreError) {
                let count = try await watched(.claim) { () async throws(StoreError) in try await store.takeOverOutboxLeases(owner: owner) }
                if count > 0 { logger.info("outbox leases taken over", [("count", String(count))]) }
                return
            } catch {
                await rest(for: pause)
                pause = min(pause * 2, .seconds(10))
            }
        }
    }

    /// Sleeps whatever comes, except for the stop.
    private func rest(for duration: Duration) async {
        let end = ContinuousClock.now + duration
        while !dispatch.isClosed, .now < end { await agenda.sleep(for: end - .now) }
    }
}
