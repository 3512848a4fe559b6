public import Platform

/// An entry as `postern outbox list` shows it.
public struct OutboxListing: Sendable, Equatable {
    /// The states that an operator sees.
    public enum State: String, Sendable {
        /// Due now or later.
        case waiting
        /// In the hands of a lane.
        case leased
        /// Given up.
        case failed
        /// Not sent because it had become pointless.
        case dropped
    }

    /// The entry.
    public var entry: OutboxEntry
    /// Its state.
    public var state: State
    /// When it is tried next, if it is.
    public var dueAt: UnixTime?
    /// What the last attempt said, if there was one.
    public var reason: String?

    /// Makes a listing.
    public init(entry: OutboxEntry, state: State, dueAt: UnixTime?, reason: String?) {
        self.entry = entry
        self.state = state
        self.dueAt = dueAt
        self.reason = reason
    }
}
