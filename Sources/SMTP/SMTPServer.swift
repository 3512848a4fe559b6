public import Platform

/// Which mail server to use and how: the `smtp` settings, checked.
public struct SMTPServer: Sendable, Equatable {
    /// How a connection begins.
    public enum Scheme: String, Sendable {
        /// In the clear, then STARTTLS as `tls` says (RFC 3207).
        case smtp
        /// With TLS from the first byte (RFC 8314 §3.3).
        case smtps
    }

    /// Whether a connection is encrypted. A certificate is always checked when there is one.
    public enum TLS: String, Sendable, CaseIterable {
        /// Always, or there is no delivery.
        case required
        /// When the server offers it. A user name and password are never sent in the clear: with them this is the same as `required`.
        case opportunistic
        /// Never; for servers on this machine only.
        case off
    }

    /// The most connections that can be configured.
    public static let connectionLimit = 256

    /// How a connection begins.
    public let scheme: Scheme
    /// Name or address, without brackets.
    public let host: String
    /// The TCP port.
    public let port: Int
    /// The user name, when the server wants a login.
    public let username: String?
    /// The password, when the server wants a login.
    public let password: Secret<String>?
    /// The access token, when the server wants one in place of a password.
    public let accessToken: SMTPAccessToken?
    /// Whether a connection is encrypted.
    public let tls: TLS
    /// The name that we say in EHLO; nil for the machine's host name.
    public let helo: String?
    /// How many connections are open at most.
    public let connections: Int
    /// How long opening a connection, and after that each reply, may take.
    public let timeout: Duration
    /// How long a connection is kept without a message. Less than servers wait (RFC 5321 §4.5.3.2.7: five minutes; many only one).
    public let idleTimeout: Duration
    /// A PEM file with the authorities to trust instead of the system's.
    public let caFile: String?

    /// Checks settings. The URL is `smtp://host[:587]` or `smtps://host[:465]` and may hold a percent-encoded `user:password@`.
    ///
    /// `timeout` is from 1 second to 10 minutes; `connections` from 1 to `connectionLimit`; `idleTimeout` is taken as it is.
    public init(
        url: String, username: String? = nil, password: Secret<String>? = nil, accessToken: SMTPAccessToken? = nil,
        tls: TLS = .required, helo: String? = nil,
        connections: Int = 8, timeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(10), caFile: String? = nil
    ) throws(SMTPConfigurationError) {
        let parts = try SMTPServerURL(url)
        scheme = parts.scheme
        host = parts.host
        port = parts.port
        guard parts.username == nil || (username == nil && password == nil) else { throw .credentialsTwice }
        self.username = parts.username ?? username
        self.password = parts.password ?? password
        self.accessToken = accessToken
        switch (self.username, self.password) {
        case (nil, nil) where accessToken == nil: break
        case (let name?, nil) where !name.isEmpty && accessToken != nil:
            for byte in name.utf8 where byte < 0x20 || byte == 0x7F { throw .credentialCharacters }
        case (_, _) where accessToken != nil: throw .incompleteCredentials
        case (let name?, let secret?) where !name.isEmpty && !secret.exposed.isEmpty:
            for text in [name, secret.exposed] where text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .credentialCharacters }
        default: throw .incompleteCredentials
        }
        switch (scheme, tls) {
        case (.smtps, .required), (.smtp, .required), (.smtp, .opportunistic): break
        case (.smtps, _): throw .tlsContradiction
        case (.smtp, .off): guard parts.isLoopback else { throw .plaintextBeyondLoopback(host: host) }
        }
        self.tls = tls
        if let helo { guard SMTPServerURL.isHELOName(helo) else { throw .helo } }
        self.helo = helo
        guard (1...Self.connectionLimit).contains(connections) else { throw .connections }
        self.connections = connections
        guard timeout >= .seconds(1), timeout <= .seconds(600) else { throw .timeout }
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        if let caFile { guard !caFile.isEmpty, !caFile.utf8.contains(0) else { throw .caFile } }
        self.caFile = caFile
    }

    /// `host:port`, by which operators know the server; brackets around an IPv6 address.
    public var label: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Whether nothing may be sent before the connection is encrypted: asked for, or needed because there is a password.
    var mustEncrypt: Bool {
        switch tls {
        case .required: true
        case .opportunistic: username != nil
        case .off: false
        }
    }
}
