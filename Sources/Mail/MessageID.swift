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
