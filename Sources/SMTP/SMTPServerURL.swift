internal import Glibc
internal import Platform

/// The parts of a mail server's URL (the generic syntax of RFC 3986; `smtp` has no registered scheme).
struct SMTPServerURL {
    let scheme: SMTPServer.Scheme
    let username: String?
    let password: Secret<String>?
    let host: String
    let port: Int

    init(_ text: String) throws(SMTPConfigurationError) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[mark...].hasPrefix("://"),
            let scheme = SMTPServer.Scheme(rawValue: text[..<mark].lowercased())
        else { throw .scheme }
        self.scheme = scheme
        var rest = text[mark...].dropFirst(3)
        // A trailing slash is an empty path and says nothing.
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.utf8.contains(where: { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }) else {
            throw .trailingParts
        }
        if let at = rest.lastIndex(of: "@") {
            let info = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard info.count == 2 else { throw .incompleteCredentials }
            guard let username = Self.percentDecoded(info[0]), let password = Self.percentDecoded(info[1]) else { throw .userInfo }
            self.username = username
            self.password = Secret(password)
            rest = rest[rest.index(after: at)...]
        } else {
            username = nil
            password = nil
        }
        let portText: Substring?
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { throw .host }
            host = rest[rest.index(after: rest.startIndex)..<close].lowercased()
            guard Self.ipv6Bytes(host) != nil else { throw .host }
            let behind = rest[rest.index(after: close)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { throw .host }
            portText = behind.isEmpty ? nil : behind.dropFirst()
        } else {
            let pieces = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = pieces[0].lowercased()
            guard Self.isHostName(host) else { throw .host }
            portText = pieces.count == 2 ? pieces[1] : nil
        }
        if let portText {
            guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText), (1...65535).contains(port) else {
                throw .port
            }
            self.port = port
        } else {
            port = scheme == .smtps ? 465 : 587
        }
    }

    /// Whether the host is this machine for certain: 127.0.0.0/8, ::1, or `localhost`, which libcurl never asks the name service about.
    var isLoopback: Bool {
        if host == "localhost" { return true }
        if let bytes = Self.ipv6Bytes(host) { return bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }
        return Self.ipv4FirstByte(host) == 127
    }

    /// A name to say in EHLO: a host name, or an address literal (RFC 5321 §4.1.3).
    static func isHELOName(_ text: String) -> Bool {
        guard text.utf8.count <= 255 else { return false }
        guard text.hasPrefix("["), text.hasSuffix("]") else { return isHostName(text) }
        let inner = String(text.dropFirst().dropLast())
        if inner.lowercased().hasPrefix("ipv6:") { return ipv6Bytes(String(inner.dropFirst(5))) != nil }
        return ipv4FirstByte(inner) != nil
    }

    /// Labels of letters, digits, hyphens and, as container networks have them, underscores; a dot at the end is allowed.
    static func isHostName(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 254 else { return false }
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                } && !label.hasPrefix("-") && !label.hasSuffix("-")
        }
    }

    private static func ipv6Bytes(_ text: String) -> [UInt8]? {
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
    }

    private static func ipv4FirstByte(_ text: String) -> UInt8? {
        var address = in_addr()
        guard unsafe inet_pton(AF_INET, text, &address) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: &address) { unsafe $0[0] }
    }

    /// nil for a broken escape or what is not UTF-8 afterwards.
    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
