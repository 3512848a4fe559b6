/// Takes a JSON object apart into its members, strictly (RFC 8259), values as their own text without white space.
struct JSONScanner {
    private let input: [UInt8]
    private var position = 0
    private static let depthLimit = 32

    /// `input` is UTF-8, as every Swift string is.
    init(_ input: [UInt8]) {
        self.input = input
    }

    /// The members of the one object that the text must be; `nil` when it is anything else.
    mutating func document() -> [(name: String, value: [UInt8])]? {
        skipSpace()
        guard take("{") else { return nil }
        var members: [(name: String, value: [UInt8])] = []
        skipSpace()
        if !take("}") {
            repeat {
                skipSpace()
                guard let name = string() else { return nil }
                skipSpace()
                guard take(":") else { return nil }
                var value: [UInt8] = []
                guard copyValue(into: &value, depth: 1) else { return nil }
                members.append((name, value))
                skipSpace()
            } while take(",")
            guard take("}") else { return nil }
        }
        skipSpace()
        return position == input.count ? members : nil
    }

    // MARK: Values

    private mutating func copyValue(into output: inout [UInt8], depth: Int) -> Bool {
        guard depth <= Self.depthLimit else { return false }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return copyContainer("{", "}", named: true, into: &output, depth: depth)
        case UInt8(ascii: "["): return copyContainer("[", "]", named: false, into: &output, depth: depth)
        case UInt8(ascii: "\""): return copy(into: &output) { $0.string() != nil }
        case UInt8(ascii: "t"): return copy(into: &output) { $0.take(word: "true") }
        case UInt8(ascii: "f"): return copy(into: &output) { $0.take(word: "false") }
        case UInt8(ascii: "n"): return copy(into: &output) { $0.take(word: "null") }
        default: return copy(into: &output) { $0.takeNumber() }
        }
    }

    private mutating func copyContainer(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, named: Bool, into output: inout [UInt8], depth: Int
    ) -> Bool {
        guard take(opening) else { return false }
        output.append(UInt8(ascii: opening))
        skipSpace()
        if !take(closing) {
            var isFirst = true
            repeat {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                if named {
                    skipSpace()
                    guard copy(into: &output, { $0.string() != nil }) else { return false }
                    skipSpace()
                    guard take(":") else { return false }
                    output.append(UInt8(ascii: ":"))
                }
                guard copyValue(into: &output, depth: depth + 1) else { return false }
                skipSpace()
            } while take(",")
            guard take(closing) else { return false }
        }
        output.append(UInt8(ascii: closing))
        return true
    }

    private mutating func copy(into output: inout [UInt8], _ scan: (inout JSONScanner) -> Bool) -> Bool {
        let start = position
        guard scan(&self) else { return false }
        output.append(contentsOf: input[start..<position])
        return true
    }

    /// A string with its escapes undone; refuses halves of surrogate pairs, which other readers turn into different names.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text.append(contentsOf: String(Character(scalar)).utf8)
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
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard take("\\"), take("u"), let low = codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private mutating func takeNumber() -> Bool {
        _ = take("-")
        guard take("0") || takeDigits() else { return false }
        if take(".") {
            guard takeDigits() else { return false }
        }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard takeDigits() else { return false }
        }
        return true
    }

    // MARK: Bytes

    private var peek: UInt8? { position < input.count ? input[position] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        word.unicodeScalars.allSatisfy { take($0) }
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }
}
