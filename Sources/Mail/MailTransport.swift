/// A way to deliver messages. Each lane is one connection, opened when there is something to send, kept while there is more.
public protocol MailTransport: Sendable {
    /// How many lanes the outbox runs at once, at least 1.
    var lanes: Int { get }

    /// Works as one lane: takes messages from `source` and settles each before the content of the next goes out, until the source is
    /// closed; then says good-bye to the server and returns. Never throws: every failure is an outcome.
    func runLane(_ index: Int, source: any MailSource) async
}

/// Where a lane gets its messages and leaves its outcomes.
public protocol MailSource: Sendable {
    /// The next message; waits at most `patience` for one (nil patience: as long as it takes). Zero asks without waiting.
    func next(within patience: Duration?) async -> NextMessage

    /// Whether no more will come, for a lane that waits for a server meanwhile: the process stops, and what has not gone out yet need not.
    var isClosed: Bool { get }

    /// Writes down what became of a message; durable when it returns.
    func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async
}

/// What a lane is to do next.
public enum NextMessage: Sendable {
    /// Send this.
    case message(OutgoingMessage)
    /// Nothing came in time: close an idle connection, or go on waiting.
    case none
    /// No more will come: say good-bye.
    case closed
}
