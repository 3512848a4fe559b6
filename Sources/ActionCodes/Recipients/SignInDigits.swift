internal import Crypto
internal import Platform

/// The six digits beside a sign-in link, for people whose link opens on the wrong device or was opened by a machine.
///
/// They are derived from the code and the key whenever they are needed and stored nowhere. **The odds of guessing**: digits are compared with the
/// newest live code of the address only, and at most `tries` are made for an address within any `lifetime`, known or unknown, right or wrong.
/// So a stranger who keeps trying hits with 5 in 1,000,000 in 15 minutes (times the number of secrets in the configuration), and ends nothing but
/// the digits themselves: the link goes on. Comparing with all five codes that may be alive would make that 25 in 1,000,000, and let whoever asks for
/// more mails raise their own odds.
struct SignInDigits: Sendable {
    /// How long digits work after the code was issued, however long the link does.
    static let lifetime = Duration.seconds(15 * 60)
    /// How many tries an address has within any `lifetime`.
    static let tries = 5

    private let bytes: [UInt8]

    /// Takes what somebody typed: six ASCII digits, blanks anywhere. Nil for everything else, such as the code of a link.
    init?(_ text: String) {
        guard text.utf8.count <= 16 else { return nil }
        let bytes = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard bytes.count == 6, bytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        self.bytes = bytes
    }

    /// The digits of a code; nil when they do not work at `now`.
    static func text(for code: ActionCode, keys: KeyRing, now: UnixTime) -> String? {
        guard code.operation == .signIn, works(code, now: now) else { return nil }
        return String(decoding: digits(of: code.id.bytes, projectID: code.projectID, key: keys.signing), as: UTF8.self)
    }

    /// Whether these are the digits of `code`. Takes the same time without a code.
    func prove(_ code: ActionCode?, keys: KeyRing, now: UnixTime) -> Bool {
        let id = code?.id.bytes ?? [UInt8](repeating: 0, count: 16)
        var isRight = false
        for key in keys.all {
            isRight = constantTimeEquals(bytes, Self.digits(of: id, projectID: code?.projectID ?? "", key: key)) || isRight
        }
        guard let code else { return false }
        return Self.works(code, now: now) && isRight
    }

    private static func works(_ code: ActionCode, now: UnixTime) -> Bool {
        code.state == .live && now < code.expiresAt && now - code.createdAt < lifetime
    }

    private static func digits(of id: [UInt8], projectID: String, key: KeyRing.Key) -> [UInt8] {
        let tag = HMACSHA256.tag(id, Array(projectID.utf8), key: key.digits)
        var number = number(tag)
        var digits = [UInt8](repeating: 0, count: 6)
        for index in digits.indices.reversed() {
            digits[index] = UInt8(ascii: "0") + UInt8(number % 10)
            number /= 10
        }
        return digits
    }

    /// 0 to 999,999, each equally likely: of the four words in a tag the first below the largest multiple of a million counts. That all four are
    /// above it happens once in 10^53 codes.
    static func number(_ tag: [UInt8]) -> UInt64 {
        let million: UInt64 = 1_000_000
        let limit = UInt64.max - UInt64.max % million
        var word: UInt64 = 0
        for start in stride(from: 0, to: tag.count, by: 8) {
            word = tag[start..<min(start + 8, tag.count)].reduce(0) { $0 << 8 | UInt64($1) }
            if word < limit { break }
        }
        return word % million
    }
}
