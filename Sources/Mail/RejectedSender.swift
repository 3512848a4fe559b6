public import Platform

/// A route on which receivers reject us as a sender, so that its mails rest until the operator has acted: DKIM, SPF, DMARC, reverse DNS, a
/// block list, or a sender that the mail server does not take from us.
public struct RejectedSender: Sendable, Equatable {
    /// The project whose mails are rejected.
    public let projectID: String
    /// The recipients' domain where they are; nil for everywhere.
    public let recipientDomain: String?
    /// When the first of them was.
    public let since: UnixTime
    /// The last reply, such as `550 5.7.26 unauthenticated`.
    public let reply: String
}
