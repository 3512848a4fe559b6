internal import Mail
public import Platform

extension SQLiteStore: Service {
    /// `store`.
    public var name: String { "store" }

    /// How long codes are kept after they have expired, so that a late click is told "expired" and not "unknown".
    static let graceOfExpiredCodes = Duration.seconds(86_400)
    /// How many codes one transaction purges: small, because it shares the writer with sign-ins that wait.
    static let purgeBatch = 250

    /// Keeps house until `shutdown`, then commits what was handed in and closes the file.
    ///
    /// First in the list of services, since everybody else needs it until they have stopped.
    public func run(until shutdown: Shutdown) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepHouse() }
            await shutdown.wait()
            group.cancelAll()
        }
        close()
    }

    private func keepHouse() async {
        var nextOptimization = clock.now()
        while !Task.isCancelled {
            do throws(StoreError) {
                try await purgeExpired()
                if clock.now() >= nextOptimization {
                    try await optimize()
                    nextOptimization = clock.now() + .seconds(86_400)
                }
            } catch {
                // Nobody waits for this and the next round makes up for it; whoever needs the disk meets the same error.
                logger.warning("housekeeping of the database failed", [("error", "\(error)")])
            }
            try? await Task.sleep(for: .seconds(600))
        }
    }

    /// Purges what has expired longer ago than the grace, in batches with room for others in between.
    func purgeExpired() async throws(StoreError) {
        let time = clock.now() - Self.graceOfExpiredCodes
        while !Task.isCancelled, try await purgeActionCodes(expiredBefore: time, limit: Self.purgeBatch) == Self.purgeBatch {}
    }
}
