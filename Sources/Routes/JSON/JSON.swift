internal import Platform

/// A JSON value that is written, with the members of objects in the order given.
enum JSON: Sendable {
    case string(String)
    case int(Int)
    case bool(Bool)
    case array([JSON])
    case object([(String, JSON?)])

    /// Without white space; members whose value is nil are left out, never null.
    var compact: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        write(to: &bytes, indent: nil)
        return bytes
    }

    /// With two spaces a level, as errors are written.
    var pretty: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        write(to: &bytes, indent: 0)
        return bytes
    }

    private func write(to bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .string(let text): JSONText.append(text, to: &bytes)
        case .int(let number): bytes += String(number).utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .array(let items):
            Self.writeList(items, between: ("[", "]"), to: &bytes, indent: indent) { item, bytes, indent in
                item.write(to: &bytes, indent: indent)
            }
        case .object(let members):
            Self.writeList(members.filter { $0.1 != nil }, between: ("{", "}"), to: &bytes, indent: indent) { member, bytes, indent in
                JSONText.append(member.0, to: &bytes)
                bytes += (indent == nil ? ":" : ": ").utf8
                member.1?.write(to: &bytes, indent: indent)
            }
        }
    }

    private static func writeList<Item>(
        _ items: [Item], between brackets: (String, String), to bytes: inout [UInt8], indent: Int?,
        item write: (Item, inout [UInt8], Int?) -> Void
    ) {
        bytes += brackets.0.utf8
        let inner = indent.map { $0 + 1 }
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(inner, to: &bytes)
            write(item, &bytes, inner)
        }
        if !items.isEmpty { newLine(indent, to: &bytes) }
        bytes += brackets.1.utf8
    }

    private static func newLine(_ indent: Int?, to bytes: inout [UInt8]) {
        guard let indent else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * indent)
    }
}

extension JSON {
    /// A string, or nothing.
    static func optional(_ text: String?) -> JSON? { text.map { .string($0) } }

    /// A 64-bit number, which the wire writes as a string.
    static func int64(_ number: Int64?) -> JSON? { number.map { .string(String($0)) } }

    /// A list of strings.
    static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
