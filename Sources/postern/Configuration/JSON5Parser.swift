/// Reads JSON5 (spec.json5.org) into values that know their place.
///
/// FoundationEssentials reads JSON5 too, but its errors hold no line or column and it drops all but one of repeated keys; a test holds
/// both against the same texts.
struct JSON5Parser {
    /// Deeper nesting is refused, so that no text can exhaust the stack.
    static let maximumDepth = 64

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var position = TextPosition(line: 1, column: 1)

    /// Reads a whole text: one value, with comments and white space around it.
    static func parse(_ text: String) throws(JSON5SyntaxError) -> ConfigurationValue {
        var parser = JSON5Parser(scalars: Array(text.unicodeScalars))
        try parser.skipBlanks()
        let value = try parser.value(depth: 0)
        try parser.skipBlanks()
        guard parser.next == nil else { throw parser.unexpected("the end of the file") }
        return value
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(JSON5SyntaxError) -> ConfigurationValue {
        guard depth <= Self.maximumDepth else {
            throw JSON5SyntaxError(position: position, found: "nesting deeper than \(Self.maximumDepth)", expected: "a flatter file")
        }
        let start = position
        let content: ConfigurationValue.Content
        switch next {
        case "{": content = .object(try members(depth: depth))
        case "[": content = .array(try elements(depth: depth))
        case "\"", "'": content = .string(try string())
        case "+", "-", ".": content = .number(try number())
        case let digit? where Self.isDigit(digit): content = .number(try number())
        case let letter? where Self.beginsIdentifier(letter): content = try word()
        default: throw unexpected("a value")
        }
        return ConfigurationValue(content: content, position: start)
    }

    private mutating func members(depth: Int) throws(JSON5SyntaxError) -> [ConfigurationValue.Member] {
        advance()
        var members: [ConfigurationValue.Member] = []
        while true {
            try skipBlanks()
            if take("}") { return members }
            let start = position
            let name: String
            switch next {
            case "\"", "'": name = try string()
            case let letter? where Self.beginsIdentifier(letter) || letter == "\\": name = try identifier()
            default: throw unexpected("a key or }")
            }
            try skipBlanks()
            guard take(":") else { throw unexpected(": after the key \(name)") }
            try skipBlanks()
            members.append(.init(name: name, position: start, value: try value(depth: depth + 1)))
            try skipBlanks()
            if take(",") { continue }
            guard next == "}" else { throw unexpected("a comma or }") }
        }
    }

    private mutating func elements(depth: Int) throws(JSON5SyntaxError) -> [ConfigurationValue] {
        advance()
        var elements: [ConfigurationValue] = []
        while true {
            try skipBlanks()
            if take("]") { return elements }
            elements.append(try value(depth: depth + 1))
            try skipBlanks()
            if take(",") { continue }
            guard next == "]" else { throw unexpected("a comma or ]") }
        }
    }

    private mutating func word() throws(JSON5SyntaxError) -> ConfigurationValue.Content {
        let before = self
        switch try identifier() {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case let other:
            throw JSON5SyntaxError(position: before.position, found: "the word \(other)", expected: "a value; text stands in quotes")
        }
    }

    private mutating func number() throws(JSON5SyntaxError) -> Double {
        let start = position
        var sign = 1.0
        if take("-") { sign = -1 } else { _ = take("+") }
        if let letter = next, letter == "I" || letter == "N" {
            guard case .number(let value) = try word() else { throw unexpected("a number") }
            return sign * value
        }
        var text = ""
        while let character = next, Self.continuesIdentifier(character) || character == "." || "+-".unicodeScalars.contains(character) {
            // A sign belongs to the number behind the e of an exponent only.
            if character == "+" || character == "-" {
                guard let last = text.unicodeScalars.last, last == "e" || last == "E", !text.hasPrefix("0x"), !text.hasPrefix("0X")
                else { break }
            }
            text.unicodeScalars.append(character)
            advance()
        }
        guard let value = Self.double(text) else {
            throw JSON5SyntaxError(position: start, found: text.isEmpty ? "a sign alone" : "\"\(text)\"", expected: "a number")
        }
        return sign * value
    }

    private static func double(_ text: String) -> Double? {
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            let digits = text.utf8.dropFirst(2)
            guard !digits.isEmpty, digits.allSatisfy({ hexValue(Unicode.Scalar($0)) != nil }) else { return nil }
            return digits.reduce(0) { $0 * 16 + Double(hexValue(Unicode.Scalar($1)) ?? 0) }
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let digits = mantissa.joined()
        guard parts.count <= 2, mantissa.count <= 2, !digits.isEmpty, digits.isDecimal else { return nil }
        // 010 is ten to some readers and eight to others.
        if mantissa[0].utf8.count > 1 && mantissa[0].hasPrefix("0") { return nil }
        var canonical = (mantissa[0].isEmpty ? "0" : mantissa[0]) + "." + (mantissa.count < 2 || mantissa[1].isEmpty ? "0" : mantissa[1])
        if parts.count == 2 {
            let exponent = parts[1].hasPrefix("-") || parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1]
            guard !exponent.isEmpty, exponent.isDecimal else { return nil }
            canonical += "e" + parts[1]
        }
        guard let value = Double(String(canonical)), value.isFinite else { return nil }
        return value
    }

    // MARK: Strings and names

    private mutating func string() throws(JSON5SyntaxError) -> String {
        let start = position
        let quote = next
        advance()
        var text = String.UnicodeScalarView()
        while let character = next {
            if character == quote {
                advance()
                return String(text)
            }
            if character == "\n" || character == "\r" { break }
            if character == "\\" {
                try escape(into: &text)
            } else {
                text.append(character)
                advance()
            }
        }
        throw JSON5SyntaxError(
            position: start, found: "a string that does not end on its line", expected: "the closing \(quote.map(String.init) ?? "quote")")
    }

    private mutating func escape(into text: inout String.UnicodeScalarView) throws(JSON5SyntaxError) {
        let start = position
        advance()
        guard let character = next else { throw unexpected("a character after \\") }
        switch character {
        case "b": text.append("\u{8}")
        case "f": text.append("\u{C}")
        case "n": text.append("\n")
        case "r": text.append("\r")
        case "t": text.append("\t")
        case "v": text.append("\u{B}")
        case "0" where !(index + 1 < scalars.count && Self.isDigit(scalars[index + 1])): text.append("\0")
        case _ where Self.isDigit(character): throw JSON5SyntaxError(position: start, found: "\\\(character)", expected: "a known escape")
        case "x", "u":
            advance()
            return text.append(try codePoint(character == "x" ? 2 : 4, from: start))
        case "\r":
            advance()
            _ = take("\n")
            return
        case "\n", "\u{2028}", "\u{2029}": break
        default: text.append(character)
        }
        advance()
    }

    private mutating func codePoint(_ digits: Int, from start: TextPosition) throws(JSON5SyntaxError) -> Unicode.Scalar {
        let invalid = JSON5SyntaxError(position: start, found: "an escape that names no character", expected: "\\xHH or \\uHHHH")
        func read(_ parser: inout JSON5Parser) -> UInt32? {
            var value: UInt32 = 0
            for _ in 0..<digits {
                guard let character = parser.next, let digit = Self.hexValue(character) else { return nil }
                value = value << 4 | digit
                parser.advance()
            }
            return value
        }
        guard let first = read(&self) else { throw invalid }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A surrogate is half a character; the other half must follow.
        guard (0xD800...0xDBFF).contains(first), take("\\"), take("u"), let second = read(&self), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw invalid }
        return scalar
    }

    private mutating func identifier() throws(JSON5SyntaxError) -> String {
        var name = String.UnicodeScalarView()
        while let character = next {
            if character == "\\" {
                let start = position
                advance()
                guard take("u") else { throw unexpected("u after \\ in a key") }
                name.append(try codePoint(4, from: start))
            } else if Self.continuesIdentifier(character) {
                name.append(character)
                advance()
            } else {
                break
            }
        }
        return String(name)
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func advance() {
        let character = scalars[index]
        index += 1
        // CR LF is one line end: the LF counts.
        if character == "\n" || (character == "\r" && next != "\n") {
            position = TextPosition(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == character else { return false }
        advance()
        return true
    }

    private mutating func skipBlanks() throws(JSON5SyntaxError) {
        while let character = next {
            if character == "/" {
                try skipComment()
            } else if Self.isBlank(character) {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5SyntaxError) {
        let start = position
        advance()
        if take("/") {
            while let character = next, character != "\n", character != "\r" { advance() }
            return
        }
        guard take("*") else { throw unexpected("// or /*, which begin comments") }
        while next != nil {
            if take("*") {
                if take("/") { return }
            } else {
                advance()
            }
        }
        throw JSON5SyntaxError(position: start, found: "a comment that does not end", expected: "*/")
    }

    private func unexpected(_ expected: String) -> JSON5SyntaxError {
        let found: String
        switch next {
        case nil: found = "the end of the file"
        case let character? where (0x21...0x7E).contains(character.value): found = "\"\(character)\""
        case let character?: found = "U+" + String(character.value, radix: 16, uppercase: true)
        }
        return JSON5SyntaxError(position: position, found: found, expected: expected)
    }

    private static func isDigit(_ character: Unicode.Scalar) -> Bool { (0x30...0x39).contains(character.value) }

    private static func hexValue(_ character: Unicode.Scalar) -> UInt32? {
        switch character {
        case "0"..."9": character.value - 0x30
        case "a"..."f": character.value - 0x61 + 10
        case "A"..."F": character.value - 0x41 + 10
        default: nil
        }
    }

    private static func isBlank(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: character.properties.generalCategory == .spaceSeparator
        }
    }

    private static func beginsIdentifier(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "a"..."z", "A"..."Z", "$", "_": true
        default: character.value > 0x7F && !isBlank(character) && character.properties.isAlphabetic
        }
    }

    private static func continuesIdentifier(_ character: Unicode.Scalar) -> Bool {
        beginsIdentifier(character) || isDigit(character) || character == "\u{200C}" || character == "\u{200D}"
            || character.properties.generalCategory == .nonspacingMark
    }
}
