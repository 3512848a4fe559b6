public import Platform

/// What became of an attempt to deliver an entry.
public struct OutboxSettlement: Sendable, Equatable {
    /// The state that the entry takes.
    public enum State: Sendable, Equatable {
        /// Accepted by the mail server; its reply, such as `250 2.0.0 Ok: queued as 4Q1`.
        case sent(reply: String)
        /// To be tried again, not before `at`; the reason.
        case retry(at: UnixTime, reason: String)
        /// Given up; the reason, such as `550 5.1.1 no such user`.
        case failed(reason: String)
        /// Given up, because nothing will ever arrive at its recipient; the reply. The store suppresses the address in the same transaction.
        case bounced(reply: String)
        /// Not sent, because its code was used, voided or has expired meanwhile.
        case dropped(reason: String)
        /// Handed back untried, for instance at a clean stop; the attempt does not count.
        case released
        /// Handed back untried until that time, because mails like it cannot go for now; the attempt does not count.
        case postponed(until: UnixTime)
    }

    /// The entry.
    public let id: Int64
    /// Its new state.
    public let state: State

    /// Makes a settlement.
    public init(id: Int64, state: State) {
        self.id = id
        self.state = state
    }
}
