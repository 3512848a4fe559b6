/// An enhanced mail system status code such as `5.1.1` (RFC 3463 §2), in SMTP replies and in delivery reports (RFC 3464 §2.3.4).
public struct EnhancedStatus: Sendable, Hashable {
    /// 2, 4 or 5: done, not now, not at all.
    public let kind: Int
    /// What it is about: 1 addresses, 2 mailboxes, 5 the protocol, 7 security and policy.
    public let subject: Int
    /// Which of them.
    public let detail: Int

    /// Makes a status code.
    public init(_ kind: Int, _ subject: Int, _ detail: Int) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }

    /// The status code at the head of `text` and how many bytes it takes there; nil when there is none. Numbers have at most three digits.
    public static func leading(_ text: ArraySlice<UInt8>) -> (status: EnhancedStatus, length: Int)? {
        var numbers: [Int] = []
        var number = 0
        var digits = 0
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard digits <= 3 else { return nil }
            } else {
                guard digits > 0 else { return nil }
                numbers.append(number)
                if numbers.count == 3 {
                    guard byte == UInt8(ascii: " ") else { return nil }
                    break
                }
                guard byte == UInt8(ascii: ".") else { return nil }
                number = 0
                digits = 0
            }
            index += 1
        }
        if index == text.endIndex, digits > 0, numbers.count == 2 { numbers.append(number) }
        guard numbers.count == 3, [2, 4, 5].contains(numbers[0]) else { return nil }
        return (EnhancedStatus(numbers[0], numbers[1], numbers[2]), index - text.startIndex)
    }
}

extension EnhancedStatus {
    /// Whether it says that the address will never take mail.
    ///
    /// | status | meaning (RFC 3463 §3.2, §3.3; RFC 7505 §4) |
    /// |---|---|
    /// | 5.1.1, 5.1.3, 5.1.6, 5.2.1 | no such mailbox, not an address, moved away, closed |
    /// | 5.1.2, 5.1.10 | no such domain, a domain that takes no mail |
    ///
    /// Everything else says something about us, the mail or the moment: 5.2.2 is a full mailbox, 5.7.z a policy.
    public var isBadAddress: Bool {
        guard kind == 5 else { return false }
        switch (subject, detail) {
        case (1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (2, 1): return true
        default: return false
        }
    }
}

extension EnhancedStatus: CustomStringConvertible {
    /// Such as `5.1.1`.
    public var description: String { "\(kind).\(subject).\(detail)" }
}
