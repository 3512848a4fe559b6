/// What a mail server, or the way to it, made of one message.
///
/// Who has to act differs: nobody (`accepted`), the person behind the address (`recipientRefused`), the operator (`senderRefused`,
/// `unreachable`), or time (`deferred`).
public enum DeliveryOutcome: Sendable, Equatable {
    /// 2yz after the message; the reply in one line.
    case accepted(reply: String)
    /// 5yz about the recipient: no such mailbox, no such domain, closed. Nothing will ever arrive there. `status` is the enhanced code,
    /// when the server gave one.
    case recipientRefused(reply: String, status: EnhancedStatus?)
    /// 5yz about this message, by which nothing is known about the recipient (too large, policy, mailbox full): trying again would not help.
    case refused(reply: String)
    /// 4yz about this message or its recipient: later.
    case deferred(reply: String)
    /// The receiving side rejects us as a sender (SPF, DKIM, DMARC, reverse DNS, a block list, a sender it does not take from us): nothing
    /// is wrong with message or recipient, and the operator must act before others of the same kind go out.
    case senderRefused(reply: String, scope: SenderScope)
    /// The server, the network, TLS or the login failed: nothing is wrong with the message. After a connection lost in DATA the message may
    /// have been taken; the same Message-ID goes out again.
    case unreachable(reason: String)

    /// Which mails a rejected sender concerns.
    public enum SenderScope: Sendable, Equatable {
        /// Every mail of the project: the server knew the sender only.
        case project
        /// The mails of the project to this recipient's domain.
        case recipientDomain
    }
}
