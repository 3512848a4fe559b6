public import Mail
public import Platform

/// Why an address gets no mail of a project. Whoever asks for a mail to it is answered like everybody else; the mail is dropped when it would go
/// out.
public struct Suppression: Sendable, Equatable {
    /// What happened.
    public enum Cause: UInt8, Sendable, CaseIterable {
        // Stored: never change or reuse a number.
        /// A mail server refused the recipient for good.
        case refused = 0
        /// A delivery report said that the mail never arrived.
        case reported = 1
        /// The owner of the address said that the mails are not theirs.
        case muted = 2
    }

    /// How long "this wasn't me" keeps mail away.
    public static let muteTime = Duration.seconds(86_400)

    /// The project.
    public var projectID: String
    /// The address, as it is sent to.
    public var email: EmailAddress
    /// What happened.
    public var cause: Cause
    /// What the mail server or the report said, in one line; empty when nothing did.
    public var detail: String
    /// When it happened.
    public var since: UnixTime
    /// When it ends by itself; nil when only a release ends it.
    public var until: UnixTime?

    /// Makes a suppression.
    public init(projectID: String, email: EmailAddress, cause: Cause, detail: String = "", since: UnixTime, until: UnixTime? = nil) {
        self.projectID = projectID
        self.email = email
        self.cause = cause
        self.detail = detail
        self.since = since
        self.until = until
    }

    /// Why the mail of `code` is not to be sent; nil when it is all the same.
    ///
    /// The way back to a replaced address goes out to a muted one: nobody can ask for it to be a nuisance, and whoever takes an account over
    /// must not be able to keep it quiet.
    func reasonToDrop(_ code: ActionCode) -> String? {
        switch cause {
        case .refused, .reported: "the address bounced before: \(detail)"
        case .muted:
            code.operation == .recoverEmail ? nil : "the owner of the address wants no mail until \(until?.description ?? "released")"
        }
    }
}
