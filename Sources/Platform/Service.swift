/// Work that lasts as long as the process.
public protocol Service: Sendable {
    /// What the log calls it.
    var name: String { get }

    /// Works until `shutdown` is triggered, finishes what it has begun, and returns.
    ///
    /// Returning before the signal, and throwing, both end the whole group.
    func run(until shutdown: Shutdown) async throws
}
