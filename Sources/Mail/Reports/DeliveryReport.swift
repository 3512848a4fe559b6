/// What a mail server reports about a mail that it had taken: a delivery status notification (RFC 3464; RFC 6533 for addresses beyond ASCII).
///
/// Anybody can send such a thing. Nothing in it is to be believed before `messageToken` was checked.
public struct DeliveryReport: Sendable, Equatable {
    /// What became of the mail for one recipient.
    public struct Recipient: Sendable, Equatable {
        /// The addresses that the report names: the final one, then the one the mail was sent to, if it says so. Texts that are no addresses are left
        /// out.
        public var addresses: [EmailAddress]
        /// `failed`, `delayed`, `delivered`, `relayed` or `expanded`, in lower case.
        public var action: String
        /// The status.
        public var status: EnhancedStatus?
        /// What the server said, in one line of at most 300 characters; empty when nothing.
        public var diagnostic: String

        /// Whether it says that the address will never take mail: given up, for a reason that is the address itself.
        public var isBadAddress: Bool { action == "failed" && status?.isBadAddress ?? false }
    }

    /// The token in the Message-ID of the mail that came back (see `MessageID`); nil when the report quotes no such header.
    public var messageToken: [UInt8]?
    /// At least one.
    public var recipients: [Recipient]

    /// Reads a message as it came, headers and all. Nil for one that is no delivery report.
    public init?(_ message: [UInt8]) {
        var parts: [MIMEPart] = []
        Self.collect(MIMEPart(message[...]), into: &parts, depth: 0)
        guard let status = parts.first(where: { Self.statusTypes.contains($0.mediaType) })?.decodedBody else { return nil }
        recipients = Self.recipients(status)
        guard !recipients.isEmpty else { return nil }
        messageToken =
            parts.lazy.filter { Self.returnedTypes.contains($0.mediaType) }.compactMap(\.decodedBody)
            .compactMap { MIMEPart($0[...])["message-id"] }.compactMap(MessageID.token).first
    }

    private static let statusTypes: Set<String> = ["message/delivery-status", "message/global-delivery-status"]
    private static let returnedTypes: Set<String> = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"]

    /// Parts within multiparts, but not within returned messages: those may quote reports of their own.
    private static func collect(_ part: MIMEPart, into parts: inout [MIMEPart], depth: Int) {
        guard part.mediaType.hasPrefix("multipart/") else { return parts.append(part) }
        guard depth < 4 else { return }
        for inner in part.parts { collect(inner, into: &parts, depth: depth + 1) }
    }

    /// Groups of fields between empty lines; those about the whole message name no recipient.
    private static func recipients(_ body: [UInt8]) -> [Recipient] {
        var recipients: [Recipient] = []
        var rest = body[...]
        while !rest.isEmpty, recipients.count < 100 {
            while let first = rest.first, first == 0x0A || first == 0x0D { rest.removeFirst() }
            let before = rest.count
            let (fields, following) = MIMEPart.fields(rest)
            rest = following
            func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
            if let action = field("action") {
                let addresses = ["final-recipient", "original-recipient"].compactMap(field).compactMap(address)
                let status = field("status").flatMap { EnhancedStatus.leading(Array($0.utf8)[...])?.status }
                // The type before the semicolon, most often `smtp`, says nothing.
                let diagnostic = field("diagnostic-code").map { text in
                    text.firstIndex(of: ";").map { text[text.index(after: $0)...] } ?? text[...]
                }
                recipients.append(
                    Recipient(
                        addresses: addresses, action: action.prefix { $0 != " " && $0 != "(" }.lowercased(), status: status,
                        diagnostic: line(diagnostic ?? "")))
            }
            // Not fields at all: nothing behind them can be trusted to be any.
            if rest.count == before { break }
        }
        return recipients
    }

    /// The address in `rfc822; anna@example.com` or `utf-8; …`, where `\x{e9}` may stand for a character (RFC 6533 §3).
    private static func address(_ field: String) -> EmailAddress? {
        guard let semicolon = field.firstIndex(of: ";") else { return nil }
        let type = MIMEPart.trimmed(field[..<semicolon]).lowercased()
        var text = MIMEPart.trimmed(field[field.index(after: semicolon)...])
        guard type == "rfc822" || type == "utf-8" else { return nil }
        if text.hasPrefix("<"), text.hasSuffix(">") { text = String(text.dropFirst().dropLast()) }
        if type == "utf-8" { text = unescaped(text) }
        return try? EmailAddress(text)
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "\\x{") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}"), let value = UInt32(rest[start.upperBound..<end], radix: 16),
                let scalar = Unicode.Scalar(value)
            else { break }
            result += rest[..<start.lowerBound]
            result.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// One printable line: it ends up on terminals.
    private static func line(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ").prefix(300))
    }
}
