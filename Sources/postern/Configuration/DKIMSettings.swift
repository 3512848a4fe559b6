internal import Platform

/// How a project's mails are signed with one key (RFC 6376).
struct DKIMSettings: Sendable, Equatable {
    /// The signing domain, A-labels.
    var domain: String
    /// The selector, lower case.
    var selector: String
    /// A PEM private key; that it is one is found out when it is loaded.
    var privateKey: Secret<String>
    /// The file that the key came from; nil when it came from elsewhere.
    var keyFile: String?
}

extension DKIMSettings {
    /// Whether a text can be a selector (RFC 6376 §3.1): labels of a host name, though one of digits alone, such as a date, is right too.
    static func isSelector(_ text: String) -> Bool {
        text.utf8.count <= 128
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
            }
    }
}
