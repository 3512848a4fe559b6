internal import Platform

/// Where a server listens: an IP address, or `localhost`, and a port.
struct ListenAddress: ConfigurationText, Sendable, Hashable {
    /// An IP address without brackets, or `localhost`.
    var host: String
    /// 0 to 65535; 0 lets the system pick a free one.
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init(configured text: String) throws(ConfigurationFault) {
        let remedy = "expected ADDRESS:PORT such as 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080"
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else {
            throw ConfigurationFault("\(text.shown) has no port", remedy)
        }
        guard let port = Self.port(text[text.index(after: colon)...]) else {
            throw ConfigurationFault("\(text.shown) has a port that is no number from 0 to 65535", remedy)
        }
        var host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        guard host == "localhost" || IPAddress(host) != nil, host.contains(":") == isBracketed else {
            throw ConfigurationFault("\(text.shown) does not begin with an IP address", remedy)
        }
        self.init(host: host, port: port)
    }

    /// Reads a port: digits only, 0 to 65535.
    static func port(_ text: some StringProtocol) -> Int? {
        guard (1...5).contains(text.utf8.count), text.isDecimal, let port = Int(text), port <= 65535 else {
            return nil
        }
        return port
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host as people type it names this machine by itself: `localhost`, 127.0.0.0/8 or ::1.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

extension ListenAddress: CustomStringConvertible {
    /// `HOST:PORT`, IPv6 addresses in brackets.
    var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
