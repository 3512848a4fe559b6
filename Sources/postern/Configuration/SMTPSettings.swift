internal import Platform

/// One mail server of the configuration, every value within its range; the SMTP target makes its server from it.
struct SMTPSettings: Sendable, Equatable {
    /// Whether mail travels encrypted.
    enum TLS: String, Sendable, CaseIterable {
        /// Always, or not at all.
        case required
        /// When the server offers it.
        case opportunistic
        /// Never; loopback hosts only.
        case off
    }

    /// Where an OAuth 2.0 access token comes from.
    enum AccessToken: Sendable, Equatable {
        /// It was read once: an environment variable, or the file of settings itself.
        case value(Secret<String>)
        /// Read again for each connection.
        case file(path: String)
    }

    /// Such as `smtp://mail.example.com:587`; no user, no path.
    var url: String
    /// Present exactly when `password` or `accessToken` is.
    var username: String?
    /// Beside `username`, never beside `accessToken`.
    var password: Secret<String>?
    /// In place of `password`.
    var accessToken: AccessToken?
    /// Default required.
    var tls = TLS.required
    /// What this service calls itself.
    var helo: String?
    /// 1 to 64, default 8.
    var connections = 8
    /// 1 s to 10 min, default 30 s.
    var timeout = Duration.seconds(30)
    /// A PEM file.
    var caFile: String?
}
