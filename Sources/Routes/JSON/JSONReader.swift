/// Reads a JSON document, strictly (RFC 8259): UTF-8, whole surrogate pairs, nothing behind the value. Of members with one name the last counts.
///
/// Every call has a body, and `JSONDecoder` took a quarter of what accepting a mail costs.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Deeper than any request, and far from what would fill a thread's stack.
    static let depthLimit = 64

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value that the text must be; nil when it is anything else.
    static func document(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        // Some clients write a byte order mark (RFC 8259 §8.1: may be ignored).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        reader.skipSpace()
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    // MARK: Values

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < Self.depthLimit else { return nil }
        switch peek {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        // A request has about that many, and growing costs as much as filling.
        if depth == 0 { members.reserveCapacity(8) }
        repeat {
            skipSpace()
            guard let name = string() else { return nil }
            skipSpace()
            guard take(":") else { return nil }
            skipSpace()
            guard let value = value(depth: depth + 1) else { return nil }
            members[name] = value
            skipSpace()
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var items: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(items) }
        repeat {
            skipSpace()
            guard let item = value(depth: depth + 1) else { return nil }
            items.append(item)
            skipSpace()
        } while take(",")
        return take("]") ? .array(items) : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {
            position += 1
            return String(validating: bytes[start..<(position - 1)], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        switch next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return nil }
            // Half of a pair alone is no character, and readers make different ones of it.
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard take("\\"), take("u"), let low = codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch next() {
            case .some(let byte) where (0x30...0x39).contains(byte): digit = byte - 0x30
            case .some(let byte) where (0x41...0x46).contains(byte): digit = byte - 0x41 + 10
            case .some(let byte) where (0x61...0x66).contains(byte): digit = byte - 0x61 + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private mutating func number() -> String? {
        let start = position
        _ = take("-")
        guard take("0") || takeDigits() else { return nil }
        if take(".") { guard takeDigits() else { return nil } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard takeDigits() else { return nil }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let whole = Int64(text) { return String(whole) }
        guard let number = Double(text), number.isFinite else { return nil }
        return Int64(exactly: number).map { String($0) } ?? String(number)
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
