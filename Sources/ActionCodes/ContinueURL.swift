/// A URL that a link may lead to: checked character by character before any URL parser sees it, because parsers disagree about odd ones
/// and a disagreement here is an open redirect (OWASP Unvalidated Redirects and Forwards).
public struct ContinueURL: Sendable, Hashable {
    /// The URL exactly as the caller wrote it.
    public let text: String
    /// The scheme, lower case: `https`, or `http` for loopback hosts.
    public let scheme: String
    /// The host, lower case: letters, digits, dots and hyphens only.
    public let host: String
    /// The port as written, or nil when there is none or it is empty; 1 to 65535.
    public let port: Int?

    /// At most this many characters: mail clients and QR codes break beyond.
    public static let maximumLength = 2048

    /// Takes an absolute https URL, or an http one on a loopback host; nil for anything else. Whether the host is authorised is the
    /// project's business.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isPlain) else { return nil }
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased()
        guard scheme == "https" || scheme == "http", bytes[schemeEnd...].starts(with: "://".utf8) else { return nil }
        let rest = bytes[(schemeEnd + 3)...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let hostBytes = authority.prefix { $0 != UInt8(ascii: ":") }
        guard let first = hostBytes.first, let last = hostBytes.last, Self.isAlphanumeric(first), Self.isAlphanumeric(last),
            hostBytes.allSatisfy({ Self.isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return nil }
        let host = String(decoding: hostBytes, as: UTF8.self).lowercased()
        let afterHost = authority.dropFirst(hostBytes.count)
        var port: Int?
        if !afterHost.isEmpty {
            let digits = afterHost.dropFirst()
            guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            if !digits.isEmpty {
                guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(number) else { return nil }
                port = number
            }
        }
        guard scheme == "https" || Self.isLoopback(host) else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Scheme, host and port, as browsers compare origins; for `form-action` in a Content-Security-Policy.
    public var origin: String {
        scheme + "://" + host + (port.map { ":\($0)" } ?? "")
    }

    /// Whether a host names this machine by itself, without asking DNS: `localhost` or an address in 127.0.0.0/8.
    public static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in part.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } && (Int(part) ?? 256) < 256
            }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
