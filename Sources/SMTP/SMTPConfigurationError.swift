/// What is wrong with the settings of a mail server. No case holds a user name, a password or the URL, which may contain both.
public enum SMTPConfigurationError: Error, Sendable, Equatable {
    /// Not `smtp://` or `smtps://`.
    case scheme
    /// The host is missing or is neither a name, an IPv4 address nor an IPv6 address in brackets.
    case host
    /// The port is not a number from 1 to 65535.
    case port
    /// Something stands behind host and port.
    case trailingParts
    /// The user name or password in the URL is not percent-encoded as it should be.
    case userInfo
    /// The URL holds a user name and the settings do too.
    case credentialsTwice
    /// A user name without a password, or the other way round.
    case incompleteCredentials
    /// A user name or password with a control character.
    case credentialCharacters
    /// `tls: off` for a server elsewhere.
    case plaintextBeyondLoopback(host: String)
    /// `smtps://` with another value of `tls` than `required`.
    case tlsContradiction
    /// The name to say in EHLO is no host name or bracketed address.
    case helo
    /// The number of connections is out of its range.
    case connections
    /// The time limit is out of its range.
    case timeout
    /// The path of the certificate file is empty or holds a NUL.
    case caFile
}

extension SMTPConfigurationError: CustomStringConvertible {
    /// What was expected, in a sentence.
    public var description: String {
        switch self {
        case .scheme: "the mail server's URL must begin with smtp:// or smtps://, as in smtp://mail.example.com:587"
        case .host: "the mail server's URL must name a host: a name in ASCII, an IPv4 address or an IPv6 address in brackets"
        case .port: "the port of the mail server's URL must be a number from 1 to 65535"
        case .trailingParts: "the mail server's URL must end after host and port"
        case .userInfo: "user name and password in the mail server's URL must be percent-encoded, as in smtp://user%40example.com:word@host"
        case .credentialsTwice: "the mail server's user name and password must be given once, in the URL or beside it"
        case .incompleteCredentials: "the mail server's user name needs either a password or an access token, and these need it"
        case .credentialCharacters: "the mail server's user name and password must not hold control characters"
        case .plaintextBeyondLoopback(let host):
            "tls may be off only for a mail server on this machine (127.0.0.1, ::1, localhost), not for \(host)"
        case .tlsContradiction: "smtps:// is always encrypted: tls must be required or left out"
        case .helo: "the helo name must be a host name, or an address in brackets, of at most 255 characters"
        case .connections: "the number of connections to the mail server must be from 1 to \(SMTPServer.connectionLimit)"
        case .timeout: "the mail server's timeout must be from 1 second to 10 minutes"
        case .caFile: "caFile must be the path of a PEM file"
        }
    }
}
