internal import Platform

/// JSON that is written exactly as built: members in the given order, no white space, slashes not escaped.
///
/// `JSONEncoder` promises no order of members, and association files must be the same bytes on every node and after every start.
indirect enum JSONValue: Sendable {
    case object([(name: String, value: JSONValue)])
    case array([JSONValue])
    case string(String)
    case bool(Bool)

    static func strings(_ strings: [String]) -> JSONValue { .array(strings.map(JSONValue.string)) }

    /// The value in UTF-8 without a byte order mark (RFC 8259 section 8.1).
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            Self.writeList(members, between: "{", and: "}", to: &bytes) { member, bytes in
                JSONText.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        case .array(let elements):
            Self.writeList(elements, between: "[", and: "]", to: &bytes) { element, bytes in element.write(to: &bytes) }
        case .string(let string):
            JSONText.append(string, to: &bytes)
        case .bool(let value):
            bytes.append(contentsOf: (value ? "true" : "false").utf8)
        }
    }

    private static func writeList<Item>(
        _ items: [Item], between opening: Unicode.Scalar, and closing: Unicode.Scalar, to bytes: inout [UInt8],
        _ write: (Item, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(item, &bytes)
        }
        bytes.append(UInt8(ascii: closing))
    }
}
