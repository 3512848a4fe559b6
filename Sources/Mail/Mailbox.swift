/// A name and an address, as From and Reply-To hold them (RFC 5322 §3.4).
public struct Mailbox: Sendable, Equatable {
    /// The display name, or nil.
    public var name: String?
    /// The address.
    public var address: EmailAddress

    /// Makes a mailbox.
    public init(name: String?, address: EmailAddress) {
        self.name = name
        self.address = address
    }
}
