public import Mail
public import Platform

/// A code that was issued, as it is stored: enough to write it into a link again with the key, and useless without it.
public struct ActionCode: Sendable, Equatable {
    /// Whether a code can still be completed, and why not.
    public enum State: UInt8, Sendable {
        // Stored: never change or reuse a number.
        /// Can be completed until it expires.
        case live = 0
        /// Was completed.
        case used = 1
        /// Was overtaken by newer codes, or by a completion or change of its account.
        case voided = 2
        /// Was tried with wrong addresses too often.
        case exhausted = 3
    }

    /// Identifies the code; part of it.
    public var id: ActionCodeID
    /// The project whose code it is.
    public var projectID: String
    /// What it does.
    public var operation: Operation
    /// The address that it proves or belongs to; the mail goes there, except for a change of address.
    public var email: EmailAddress
    /// The new address of a change of address; the mail goes there.
    public var newEmail: EmailAddress?
    /// The account that asked for the code, or whose address was replaced; the code works for no other one. Nil where whoever has the address
    /// is meant, which is so for sign-in and for a new password.
    public var userID: String?
    /// What the request asked of the link.
    public var settings: ActionCodeSettings
    /// The language of the mail and of the pages, a BCP 47 tag.
    public var language: String
    /// The API key that stands in the link.
    public var apiKey: String
    /// When it was issued.
    public var createdAt: UnixTime
    /// When it stops working.
    public var expiresAt: UnixTime
    /// Whether it can still be completed.
    public var state = State.live
    /// How often it was tried with a wrong address.
    public var misses = 0

    /// Makes a live code.
    public init(
        id: ActionCodeID, projectID: String, operation: Operation, email: EmailAddress, newEmail: EmailAddress? = nil,
        userID: String? = nil, settings: ActionCodeSettings, language: String, apiKey: String, createdAt: UnixTime, expiresAt: UnixTime
    ) {
        self.id = id
        self.projectID = projectID
        self.operation = operation
        self.email = email
        self.newEmail = newEmail
        self.userID = userID
        self.settings = settings
        self.language = language
        self.apiKey = apiKey
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Where the mail goes.
    public var recipient: EmailAddress { newEmail ?? email }
}
