/// What a mail server, or the way to it, made of one message.
public enum DeliveryOutcome: Sendable, Equatable {
    /// 2yz after the message; the reply in one line.
    case accepted(reply: String)
    /// 5yz about this message or its recipient: trying again would not help.
    case refused(reply: String)
    /// 4yz about this message or its recipient: later.
    case deferred(reply: String)
    /// The server, the network, TLS or the login failed: nothing is wrong with the message. After a connection lost in DATA the message may
    /// have been taken; the same Message-ID goes out again.
    case unreachable(reason: String)
}
