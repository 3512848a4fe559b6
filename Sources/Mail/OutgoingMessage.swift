/// A composed message on its way to a mail server.
public struct OutgoingMessage: Sendable {
    /// The outbox entry that it belongs to.
    public let entryID: Int64
    /// The project that sends it.
    public let projectID: String
    /// Sender and recipient.
    public let envelope: Envelope
    /// Headers and body with CRLF line ends, ending in CRLF, dots not stuffed.
    public let bytes: [UInt8]

    /// Makes a message.
    public init(entryID: Int64, projectID: String, envelope: Envelope, bytes: [UInt8]) {
        self.entryID = entryID
        self.projectID = projectID
        self.envelope = envelope
        self.bytes = bytes
    }
}
