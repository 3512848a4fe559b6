public import Platform

/// A mail that was accepted and is not settled yet: who it is about and how often it was tried, but neither its text nor its link.
public struct OutboxEntry: Sendable, Equatable {
    /// Grows with every accepted mail; 0 for an entry that the store has not numbered yet.
    public var id: Int64
    /// The project that sends it.
    public var projectID: String
    /// The action code that the mail carries; its 16-byte identifier, which alone is of no use.
    public var codeID: [UInt8]
    /// The domain of the recipient, so that a slow one can be told from the others.
    public var recipientDomain: String
    /// 20 bytes, drawn once, that make the Message-ID the same at every attempt (RFC 5322 §3.6.4): 12 random ones and what proves to
    /// delivery reports that the mail is ours.
    public var messageToken: [UInt8]
    /// When the request was accepted.
    public var createdAt: UnixTime
    /// When the code expires; nothing is sent after it.
    public var expiresAt: UnixTime
    /// How often delivery was tried so far.
    public var attempts: Int

    /// Makes an entry. `id` and `attempts` are 0 for a new one.
    public init(
        id: Int64 = 0, projectID: String, codeID: [UInt8], recipientDomain: String, messageToken: [UInt8], createdAt: UnixTime,
        expiresAt: UnixTime, attempts: Int = 0
    ) {
        self.id = id
        self.projectID = projectID
        self.codeID = codeID
        self.recipientDomain = recipientDomain
        self.messageToken = messageToken
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.attempts = attempts
    }
}
