/// Turns outbox entries into messages at the moment of sending.
public protocol MailComposer: Sendable {
    /// The composition of each entry, in the same order and number.
    ///
    /// Throws when none can be made now, because the store is away or memory too short for a signature; the entries are asked for again.
    func compose(_ entries: [OutboxEntry]) async throws(StoreError) -> [Composition]
}

/// What a composer makes of an entry.
public enum Composition: Sendable {
    /// Send this.
    case message(OutgoingMessage)
    /// Do not send; the code was used, voided or has expired, or the project is gone. The reason is for the operator.
    case drop(reason: String)
}
