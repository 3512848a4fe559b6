/// What tells a message from all others, the same at every attempt to deliver it (RFC 5322 §3.6.4).
public struct MessageID: Sendable, Hashable {
    /// The identifier in its angle brackets, such as `<42.5f0c…@example.com>`.
    public let text: String

    /// Makes the identifier of an outbox entry's message: its number, its random token in hexadecimal, and the domain of From.
    public init(entryID: Int64, token: [UInt8], domain: String) {
        let digits = Array("0123456789abcdef".utf8)
        let hex = token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        text = "<\(entryID).\(String(decoding: hex, as: UTF8.self))@\(domain)>"
    }
}

extension MessageID {
    /// The token within an identifier of this form, in its angle brackets or not; nil for identifiers of others. Whether it is genuine, the token
    /// has to show.
    static func token(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8).trimmingASCIIWhiteSpace()
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), let at = bytes[dot...].firstIndex(of: UInt8(ascii: "@")) else {
            return nil
        }
        let entry = bytes[..<dot].drop { $0 == UInt8(ascii: "<") }
        guard !entry.isEmpty, entry.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        let hex = bytes[(dot + 1)..<at]
        guard hex.count.isMultiple(of: 2), (2...128).contains(hex.count) else { return nil }
        var token: [UInt8] = []
        for byte in hex {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            token.append(value)
        }
        return stride(from: 0, to: token.count, by: 2).map { token[$0] << 4 | token[$0 + 1] }
    }
}
