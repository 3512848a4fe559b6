internal import Platform
internal import Synchronization

/// Deletes entries that were settled long ago, and reads the numbers that `/metrics` shows.
final class OutboxHousekeeping: Sendable {
    private let store: any OutboxStore
    private let settings: OutboxSettings
    private let clock: WallClock
    private let health: OutboxHealth
    private let counts: Mutex<OutboxCounts>
    private let isStopped = Atomic<Bool>(false)
    private let gate = Gate()

    init(store: any OutboxStore, settings: OutboxSettings, clock: WallClock, health: OutboxHealth, metrics: Metrics) {
        self.store = store
        self.settings = settings
        self.clock = clock
        self.health = health
        self.counts = Mutex(OutboxCounts(waiting: 0, failed: 0))
        metrics.gauge("postern_outbox_waiting", help: "Mails not sent yet, read every few seconds.") { [weak self] in
            Double(self?.counts.withLock { $0.waiting } ?? 0)
        }
        metrics.gauge("postern_outbox_failed", help: "Mails given up and not purged yet, read every few seconds.") { [weak self] in
            Double(self?.counts.withLock { $0.failed } ?? 0)
        }
    }

    func run() async {
        var purged = ContinuousClock.now
        while !isStopped.load(ordering: .acquiring) {
            do throws(StoreError) {
                let counts = try await store.outboxCounts()
                self.counts.withLock { $0 = counts }
                if .now - purged >= settings.purgeInterval {
                    purged = .now
                    try await purge()
                }
                health.storeWorked(.read)
            } catch {
                health.storeFailed(.read, error)
            }
            await gate.wait(atMost: min(settings.countInterval, settings.purgeInterval))
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        gate.signal()
    }

    /// In small pieces with rests, so that accepting mails does not wait behind a large deletion.
    private func purge() async throws(StoreError) {
        let time = clock.now() - settings.retention
        while !isStopped.load(ordering: .acquiring), try await store.purgeOutbox(settledBefore: time, limit: 200) == 200 {
            await gate.wait(atMost: .milliseconds(50))
        }
    }
}
