/// A header field beyond those that every message has, such as `List-Id`.
public struct HeaderField: Sendable {
    /// The name; written in the source, so nobody else chooses it.
    public let name: StaticString
    /// The text; control characters are taken out of it, what is not ASCII is encoded.
    public let value: String

    /// Makes a field. `name` must be one by RFC 5322 §2.2: printable ASCII without a colon.
    public init(_ name: StaticString, _ value: String) {
        precondition(
            name.description.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") } && !name.description.isEmpty,
            "not the name of a header field")
        self.name = name
        self.value = value
    }
}
