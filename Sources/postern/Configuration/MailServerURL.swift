internal import Mail
internal import Platform

/// Where a mail server listens: `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`.
struct MailServerURL: ConfigurationText, Sendable, Hashable {
    /// Whether the connection is encrypted from its first byte.
    let isImplicitTLS: Bool
    /// A name or an IP address without brackets.
    let host: String
    /// 1 to 65535; 587 or 465 when none is named.
    let port: Int

    /// The whole URL, port included.
    var text: String { (isImplicitTLS ? "smtps" : "smtp") + "://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    init(configured text: String) throws(ConfigurationFault) {
        let remedy = "expected smtp://HOST:PORT or smtps://HOST:PORT"
        // Checked first: what stands before the @ may be a password and is not to be shown.
        if text.contains("@") { throw ConfigurationFault("the URL has a user", "put user and password into username and password") }
        let lower = text.lowercased()
        guard let scheme = ["smtps", "smtp"].first(where: { lower.hasPrefix($0 + "://") }) else {
            throw ConfigurationFault("\(text.shown) does not begin with smtp:// or smtps://", remedy)
        }
        isImplicitTLS = scheme == "smtps"
        var authority = String(text.dropFirst(scheme.count + 3))
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.contains(where: { "/?#".contains($0) }) else {
            throw ConfigurationFault("\(text.shown) goes on behind host and port", remedy)
        }
        var port: String?
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            port = String(authority[authority.index(after: colon)...])
            authority = String(authority[..<colon])
        }
        if authority.hasPrefix("["), authority.hasSuffix("]"), let address = IPAddress(String(authority.dropFirst().dropLast())),
            authority.contains(":")
        {
            host = address.description
        } else if let address = IPAddress(authority), address.isIPv4 {
            host = authority
        } else if let name = HostName(authority) {
            host = name.text
        } else {
            throw ConfigurationFault("\(text.shown) has no valid host", remedy)
        }
        guard let port else {
            self.port = isImplicitTLS ? 465 : 587
            return
        }
        guard let number = ListenAddress.port(port), number > 0 else {
            throw ConfigurationFault("\(text.shown) has a port that is no number from 1 to 65535", remedy)
        }
        self.port = number
    }
}
