/// Why a mail server could not be used. None of these says anything about a message.
public enum SMTPError: Error, Sendable, Equatable {
    /// The name has no address, or the name service does not answer.
    case cannotResolve(host: String)
    /// No TCP connection came about.
    case cannotConnect(cause: String)
    /// Nothing came within the configured time.
    case timedOut(stage: Stage)
    /// The server's first words were a refusal, such as `554 5.7.1 go away` or `421 too busy`.
    case greetingRefused(reply: String)
    /// TLS is required and the server does not offer STARTTLS, or somebody on the way has removed the offer.
    case tlsNotOffered
    /// STARTTLS was offered and then refused, or the handshake failed.
    case tlsFailed(cause: String)
    /// Nobody whom we trust has signed the server's certificate.
    case certificateNotTrusted(cause: String)
    /// The server's certificate is past its last day, or before its first.
    case certificateExpired(cause: String)
    /// The server's certificate is for another name.
    case certificateNameMismatch(cause: String)
    /// The file of trusted certificates cannot be read.
    case trustUnreadable(cause: String)
    /// The server said no to the user name and password. The reply's text is left out, since a server may repeat there what we sent.
    case loginRefused(code: Int)
    /// A user name is configured, and the server offers no way to log in that we know.
    case loginNotOffered
    /// The access token that logs in cannot be read.
    case tokenUnreadable(cause: String)
    /// The server ends the connection by a 421.
    case closing(reply: String)
    /// The connection broke off.
    case connectionLost(cause: String)
    /// The server does not speak SMTP as it should.
    case protocolViolation(cause: String)
    /// libcurl could not be set up; names what it did not take.
    case setUpFailed(cause: String)
    /// The process stops; the server was not waited for.
    case stopped

    /// What was being waited for.
    public enum Stage: String, Sendable {
        /// Connection, greeting, TLS and login.
        case opening
        /// The reply to a command or to a message.
        case reply
        /// Room to send.
        case sending
    }

    /// A stable name for programs and metrics.
    public var code: String {
        switch self {
        case .cannotResolve: "cannot-resolve"
        case .cannotConnect: "cannot-connect"
        case .timedOut: "timed-out"
        case .greetingRefused: "greeting-refused"
        case .tlsNotOffered: "tls-not-offered"
        case .tlsFailed: "tls-failed"
        case .certificateNotTrusted: "certificate-not-trusted"
        case .certificateExpired: "certificate-expired"
        case .certificateNameMismatch: "certificate-name-mismatch"
        case .trustUnreadable: "trust-unreadable"
        case .loginRefused: "login-refused"
        case .loginNotOffered: "login-not-offered"
        case .tokenUnreadable: "token-unreadable"
        case .closing: "server-closing"
        case .connectionLost: "connection-lost"
        case .protocolViolation: "protocol-violation"
        case .setUpFailed: "set-up-failed"
        case .stopped: "stopped"
        }
    }

    /// A sentence for people.
    public var sentence: String {
        switch self {
        case .cannotResolve(let host): "the name \(host) of the mail server cannot be resolved"
        case .cannotConnect: "cannot connect to the mail server"
        case .timedOut(.opening): "the mail server did not answer in time while the connection was opened"
        case .timedOut(.reply): "the mail server did not reply in time"
        case .timedOut(.sending): "the mail server did not take data in time"
        case .greetingRefused: "the mail server refuses the connection"
        case .tlsNotOffered: "the mail server does not offer STARTTLS, which is required here"
        case .tlsFailed: "no TLS connection to the mail server came about"
        case .certificateNotTrusted: "the mail server's certificate is not trusted"
        case .certificateExpired: "the mail server's certificate has expired or is not valid yet"
        case .certificateNameMismatch: "the mail server's certificate is for another name"
        case .trustUnreadable: "the file of trusted certificates cannot be read"
        case .loginRefused: "the mail server refused the user name and password"
        case .loginNotOffered: "a user name is configured, but the mail server offers no login that can be used"
        case .tokenUnreadable: "the access token for the mail server cannot be read"
        case .closing: "the mail server is closing the connection"
        case .connectionLost: "the connection to the mail server was lost"
        case .protocolViolation: "the mail server broke the protocol"
        case .setUpFailed: "the mail client could not be set up"
        case .stopped: "the service stopped before the mail server answered"
        }
    }

    /// What was seen, for logs; empty when the sentence says it all.
    public var cause: String {
        switch self {
        case .cannotResolve, .timedOut, .tlsNotOffered, .loginNotOffered, .stopped: ""
        case .loginRefused(let code): String(code)
        case .greetingRefused(let reply), .closing(let reply): reply
        case .cannotConnect(let cause), .tlsFailed(let cause), .certificateNotTrusted(let cause), .certificateExpired(let cause),
            .certificateNameMismatch(let cause), .trustUnreadable(let cause), .tokenUnreadable(let cause), .connectionLost(let cause),
            .protocolViolation(let cause),
            .setUpFailed(let cause):
            cause
        }
    }

    /// Sentence and cause in one line of at most 500 characters, for the outbox.
    public var reason: String {
        cause.isEmpty ? sentence : String("\(sentence): \(cause)".prefix(500))
    }

    /// Whether a connection that lay idle may simply have ended, so that a new one is worth a try at once.
    var mayBeStale: Bool {
        switch self {
        case .closing, .connectionLost: true
        default: false
        }
    }
}

extension SMTPError: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}
