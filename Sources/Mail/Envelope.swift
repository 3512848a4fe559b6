/// Who a message goes to and where its failures come back to (RFC 5321 §2.3.1); one recipient a message.
public struct Envelope: Sendable, Equatable {
    /// The reverse-path.
    public var sender: EmailAddress
    /// The forward-path.
    public var recipient: EmailAddress

    /// Makes an envelope.
    public init(sender: EmailAddress, recipient: EmailAddress) {
        self.sender = sender
        self.recipient = recipient
    }

    /// Whether the server must offer SMTPUTF8 (RFC 6531): a local part beyond ASCII.
    public var needsSMTPUTF8: Bool { !sender.isASCII || !recipient.isASCII }
}
