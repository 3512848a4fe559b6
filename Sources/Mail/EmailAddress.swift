/// An address that mail can go to, in the one form in which it is sent to, stored and compared.
public struct EmailAddress: Sendable, Hashable {
    /// What stands before the `@`, lower case, quoted forms refused.
    public let localPart: String
    /// The domain as A-labels, lower case (RFC 5890 §2.3.2.1).
    public let domain: String

    /// The whole address.
    public var text: String { localPart + "@" + domain }

    /// Whether the local part is ASCII too, so that any mail server takes it.
    public var isASCII: Bool { localPart.utf8.allSatisfy { $0 < 0x80 } }

    init(localPart: String, domain: String) {
        self.localPart = localPart
        self.domain = domain
    }
}
