/// Runs services together and stops them one after the other, the last one first.
///
/// The order is the design: what accepts work comes last in the list and stops first, what keeps data comes first and stops last.
public struct ServiceGroup: Sendable {
    private let services: [any Service]

    /// Takes the services in the order in which they depend on each other, the foundation first.
    public init(_ services: [any Service]) {
        self.services = services
    }

    /// Runs all services until `shutdown` is triggered or one of them ends by itself; then stops all of them.
    ///
    /// Throws the first error that a service threw.
    public func run(until shutdown: Shutdown) async throws {
        let signals = services.map { _ in Shutdown() }
        let ended = services.map { _ in Shutdown() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, service) in services.enumerated() {
                group.addTask {
                    // Whatever ends first takes the others with it: half a server is worse than none.
                    defer {
                        ended[index].trigger()
                        shutdown.trigger()
                    }
                    try await service.run(until: signals[index])
                }
            }
            group.addTask {
                await shutdown.wait()
                for index in signals.indices.reversed() {
                    signals[index].trigger()
                    await ended[index].wait()
                }
            }
            try await group.waitForAll()
        }
    }
}
