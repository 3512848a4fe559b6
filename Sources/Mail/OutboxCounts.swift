/// How many outbox entries are in each state.
public struct OutboxCounts: Sendable, Equatable {
    /// Not sent yet, leased or not.
    public var waiting: Int
    /// Given up.
    public var failed: Int

    /// Makes counts.
    public init(waiting: Int, failed: Int) {
        self.waiting = waiting
        self.failed = failed
    }
}
