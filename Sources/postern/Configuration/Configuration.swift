internal import Platform

/// Everything the configuration file says, checked; only `ConfigurationReader` makes one from a file.
struct Configuration: Sendable, Equatable {
    /// Where the service listens.
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// Where privileged calls, metrics and health are served, and then only there.
    var adminListen: ListenAddress?
    /// Each at least 16 characters.
    var adminTokens: [Secret<String>] = []
    /// Where browsers reach the service: scheme, host and port, no slash at the end.
    var publicURL: String
    /// Who may set X-Forwarded-For.
    var trustedProxies: [AddressRange] = []
    /// The SQLite file.
    var databasePath = "/var/lib/postern/postern.sqlite3"
    /// Each at least 32 bytes, the first signs; empty in `postern dev` only.
    var secrets: [Secret<[UInt8]>] = []
    /// The folder of token keys.
    var tokenKeysPath = "/var/lib/postern/keys"
    /// The folder of mail templates; nil for those that come with Postern.
    var templatesPath: String?
    /// The folder of landing pages; nil for those that come with Postern.
    var hostingPath: String?
    /// Mail servers in the order in which they are tried; empty in `postern dev` only.
    var smtp: [SMTPSettings] = []
    /// What is logged.
    var log = LogSettings()
    /// In the order of the file; empty in `postern dev` only.
    var projects: [ProjectConfiguration] = []

    init(publicURL: String) {
        self.publicURL = publicURL
    }
}
