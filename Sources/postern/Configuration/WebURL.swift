internal import Mail

/// A URL of a web page or service: https, or http on a loopback host; without user, query or fragment.
struct WebURL: ConfigurationText, Sendable, Hashable {
    /// `https` or `http`.
    let scheme: String
    /// The host, lower case, A-labels.
    let host: String
    /// The port, or nil for the scheme's own.
    let port: Int?
    /// The path, with its slash; may be empty.
    let path: String

    /// Scheme, host and port, such as `https://auth.example.com`.
    var origin: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") }
    /// The whole URL.
    var text: String { origin + path }

    init(configured text: String) throws(ConfigurationFault) {
        let remedy = "expected a URL such as https://auth.example.com"
        func refuse(_ reason: String) -> ConfigurationFault { ConfigurationFault("\(text.shown) \(reason)", remedy) }
        // Checked first: what stands before the @ may be a password and is not to be shown.
        if text.contains("@") { throw ConfigurationFault("the URL has an @", remedy) }
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }) else {
            throw refuse("has white space, a control character or a backslash")
        }
        let lower = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { lower.hasPrefix($0 + "://") }) else {
            throw refuse("does not begin with https://")
        }
        let rest = text.dropFirst(scheme.count + 3)
        if rest.contains("?") { throw refuse("has a query") }
        if rest.contains("#") { throw refuse("has a fragment") }
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let host = try? ConfiguredHost(configured: name) else { throw refuse("has no valid host name") }
        var port: Int?
        if parts.count == 2 {
            guard let number = ListenAddress.port(parts[1]), number > 0 else {
                throw refuse("has a port that is no number from 1 to 65535")
            }
            port = number == (scheme == "https" ? 443 : 80) ? nil : number
        }
        guard scheme == "https" || ListenAddress.isLoopback(host.text) else {
            throw ConfigurationFault("\(text.shown) is http", "expected https; http is for loopback hosts only")
        }
        let path = String(rest.dropFirst(authority.count))
        guard path.utf8.allSatisfy({ $0 < 0x80 }) else { throw refuse("has a path that is not percent-encoded") }
        self.scheme = scheme
        self.host = host.text
        self.port = port
        self.path = path
    }
}
