public import Mail
public import Platform

/// Saves what the limiter has counted, every second and at the end, so that a restart gives nobody a fresh start.
///
/// A process that is killed forgets the last second. No request waits for the disk on this account.
public struct RateLimitService: Service {
    /// `limits`.
    public let name = "limits"

    /// How many buckets share a transaction: few, because sign-ins wait for the same writer.
    static let batch = 250

    private let limiter: RateLimiter
    private let store: any RateLimitStore
    private let interval: Duration
    private let logger: Logger

    /// Takes what it saves and where. `interval` is the time between two rounds, a second by default.
    public init(limiter: RateLimiter, store: any RateLimitStore, interval: Duration = .seconds(1), logger: Logger) {
        self.limiter = limiter
        self.store = store
        self.interval = interval
        self.logger = logger
    }

    /// Goes on from what was saved; before the first request.
    public func load() async throws(StoreError) {
        limiter.load(try await store.rateLimitBuckets())
    }

    /// Saves until `shutdown`, and once more then.
    public func run(until shutdown: Shutdown) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: interval)) != nil { await saveOrReport() }
            }
            await shutdown.wait()
            group.cancelAll()
        }
        await saveOrReport()
    }

    /// A full disk is no reason to stop: the limits hold as long as the process, and the next round saves what this one could not.
    private func saveOrReport() async {
        do throws(StoreError) {
            try await save()
        } catch {
            logger.warning("limits not saved, the next round tries again", [("error", "\(error)")])
        }
    }

    /// Saves every bucket that has changed since the last time.
    func save() async throws(StoreError) {
        while case let buckets = limiter.takeUnsaved(limit: Self.batch), !buckets.isEmpty {
            do throws(StoreError) {
                try await store.saveRateLimitBuckets(buckets)
            } catch {
                limiter.returnUnsaved(buckets)
                throw error
            }
        }
    }
}
