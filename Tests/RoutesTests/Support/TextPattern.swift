/// A text with holes: `<string>` and the like stand for what a test cannot know, `<string:name>` keeps it under that name.
///
/// Everything outside of a hole is compared byte for byte.
struct TextPattern {
    private enum Part {
        case literal([UInt8])
        case hole(kind: String, name: String?)
    }

    private var parts: [Part] = []

    static let kinds: Set<String> = ["any", "string", "jwt", "digits", "code", "uid", "refresh", "time", "sig"]

    init(_ text: String) {
        var literal: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                let inner = rest[rest.index(after: rest.startIndex)..<end].split(separator: ":", maxSplits: 1)
                if let kind = inner.first.map(String.init), Self.kinds.contains(kind) {
                    if !literal.isEmpty { parts.append(.literal(literal)) }
                    literal = []
                    parts.append(.hole(kind: kind, name: inner.count == 2 ? String(inner[1]) : nil))
                    rest = rest[rest.index(after: end)...]
                    continue
                }
            }
            literal += String(character).utf8
            rest.removeFirst()
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    /// What the named holes held; nil when the text does not fit.
    func match(_ text: String) -> [String: String]? {
        let bytes = Array(text.utf8)
        var captures: [String: String] = [:]
        var position = 0
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let literal):
                guard bytes[position...].starts(with: literal) else { return nil }
                position += literal.count
            case .hole(let kind, let name):
                let end: Int
                if kind == "any" {
                    if index + 1 < parts.count, case .literal(let next) = parts[index + 1] {
                        guard let found = Self.find(next, in: bytes, from: position) else { return nil }
                        end = found
                    } else {
                        end = bytes.count
                    }
                } else {
                    end = bytes[position...].firstIndex { !Self.allows($0, kind: kind) } ?? bytes.count
                }
                let value = String(decoding: bytes[position..<end], as: UTF8.self)
                guard Self.isValid(value, kind: kind) else { return nil }
                if let name { captures[name] = value }
                position = end
            }
        }
        return position == bytes.count ? captures : nil
    }

    private static func allows(_ byte: UInt8, kind: String) -> Bool {
        switch kind {
        case "string": return byte != UInt8(ascii: "\"")
        case "digits": return (0x30...0x39).contains(byte)
        case "time": return (0x30...0x39).contains(byte) || "-:.TZ".utf8.contains(byte)
        case "jwt": return isBase64URL(byte) || byte == UInt8(ascii: ".")
        default: return isBase64URL(byte)
        }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isValid(_ value: String, kind: String) -> Bool {
        switch kind {
        case "any": true
        case "jwt":
            value.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty } && value.count { $0 == "." } == 2
        case "code": value.utf8.count == 60
        case "uid": value.utf8.count == 28
        case "refresh": value.utf8.count == 43
        case "sig": value.utf8.count == 24
        case "time": value.utf8.count == 24
        default: !value.isEmpty
        }
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard start + needle.count <= bytes.count else { return nil }
        return (start...(bytes.count - needle.count)).first { bytes[$0...].starts(with: needle) }
    }
}
