/// The tokens of a JSON text, strictly (RFC 8259): UTF-8, whole surrogate pairs, no control characters in strings.
///
/// Readers decide what to make of them: request bodies become values, claims keep the text that they came in.
public struct JSONLexer {
    private let bytes: [UInt8]

    /// The index of the next byte.
    public private(set) var position = 0

    /// Begins at the first byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes a byte order mark if there is one, which readers may ignore and some clients write (RFC 8259 section 8.1).
    public mutating func skipByteOrderMark() {
        if bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
    }

    /// The next byte; nil at the end.
    public var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether everything was taken.
    public var isAtEnd: Bool { position == bytes.count }

    /// What was taken since an earlier `position`, as it stands.
    public func text(since start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

    /// Takes one byte if it is the next.
    public mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    /// Takes `true`, `false` or `null`; what was taken of another word stays taken.
    public mutating func take(word: String) -> Bool {
        word.unicodeScalars.allSatisfy { take($0) }
    }

    /// Takes white space, of which JSON knows four kinds.
    public mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// Takes a string and undoes its escapes; nil when it is none.
    public mutating func string() -> String? {
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

    /// Takes a number and gives it as it stands; nil when it is none.
    public mutating func number() -> String? {
        let start = position
        _ = take("-")
        guard take("0") || takeDigits() else { return nil }
        if take(".") { guard takeDigits() else { return nil } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard takeDigits() else { return nil }
        }
        return String(decoding: text(since: start), as: UTF8.self)
    }

    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
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
}
