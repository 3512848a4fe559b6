/// Puts words into header fields: whatever the text, the result is one field of that name, folded (RFC 5322 §2.2.3), in ASCII (RFC 2047).
enum HeaderText {
    /// The longest line that is made where there is a choice; RFC 2047 §2 asks for 76, RFC 5322 §2.1.1 for 78.
    static let lineLength = 76

    /// One line of what `text` says: line breaks and tabs become a blank, other control characters and bidirectional controls go, blanks at the ends go.
    ///
    /// Cut to `limit` octets of UTF-8, at a character; inside one only when it alone is longer.
    static func cleaned(_ text: String, limit: Int) -> String {
        var result = text
        if !text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                switch scalar.value {
                case 0x09...0x0D, 0x85, 0x2028, 0x2029: if scalars.last != " " { scalars.append(" ") }
                case ..<0x20, 0x7F...0x9F: break
                // The bidirectional controls would let a name or a subject show what it does not say.
                case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF: break
                default: scalars.append(scalar)
                }
            }
            result = String(scalars)
        }
        // Before the cut too, or blanks would take the place of words.
        result = trimmed(result)
        return result.utf8.count > limit ? trimmed(prefix(of: result, limit: limit)) : result
    }

    private static func trimmed(_ text: String) -> String {
        guard text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text }
        return String(decoding: Array(text.utf8).trimmingASCIIWhiteSpace(), as: UTF8.self)
    }

    private static func prefix(of text: String, limit: Int) -> String {
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= limit else { break }
            kept.append(character)
        }
        guard kept.isEmpty else { return kept }
        count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }

    /// Appends free text, as in Subject. `column` is how far the line has come.
    static func appendUnstructured(_ text: String, to out: inout [UInt8], column: Int) {
        let bytes = Array(text.utf8)
        // A word with its blanks that a fold cannot break, or that looks like an encoded word, is only safe as an encoded one.
        var word = 0
        var isPlain = true
        var previous = UInt8(0x20)
        for byte in bytes {
            word = byte == 0x20 && previous != 0x20 ? 1 : word + 1
            if byte >= 0x7F || word > 60 || (byte == UInt8(ascii: "?") && previous == UInt8(ascii: "=")) { isPlain = false }
            previous = byte
        }
        guard isPlain else { return _ = appendEncodedWords(bytes, to: &out, column: column) }
        var column = column
        var start = 0
        while start < bytes.count {
            // Blanks and the word behind them stay together, so that no line is blank.
            var end = start
            while end < bytes.count, bytes[end] == 0x20 { end += 1 }
            while end < bytes.count, bytes[end] != 0x20 { end += 1 }
            if column + end - start > lineLength, start > 0 {
                out.append(contentsOf: "\r\n".utf8)
                column = 0
            }
            out.append(contentsOf: bytes[start..<end])
            column += end - start
            start = end
        }
    }

    /// Appends a display name as atoms, in quotes or as encoded words; gives the column reached.
    static func appendPhrase(_ name: String, to out: inout [UInt8], column: Int) -> Int {
        let bytes = Array(name.utf8)
        var isAtoms = true
        var previous = UInt8(0x20)
        var escapes = 0
        for byte in bytes {
            if byte >= 0x7F || (byte == UInt8(ascii: "?") && previous == UInt8(ascii: "=")) {
                return appendEncodedWords(bytes, to: &out, column: column)
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { escapes += 1 }
            if !(isLetterOrDigit(byte) || EmailAddress.isAtomMark(byte) || (byte == 0x20 && previous != 0x20)) { isAtoms = false }
            previous = byte
        }
        let length = isAtoms ? bytes.count : bytes.count + escapes + 2
        // A quoted string is not folded here: mail readers differ in what they make of the blank.
        if column + length > lineLength { return appendEncodedWords(bytes, to: &out, column: column) }
        if isAtoms {
            out.append(contentsOf: bytes)
        } else {
            out.append(UInt8(ascii: "\""))
            for byte in bytes {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(UInt8(ascii: "\\")) }
                out.append(byte)
            }
            out.append(UInt8(ascii: "\""))
        }
        return column + length
    }

    /// Appends encoded words, B or Q, whichever is shorter, none of them with a part of a scalar (RFC 2047 §5).
    private static func appendEncodedWords(_ bytes: [UInt8], to out: inout [UInt8], column: Int) -> Int {
        let quoted = bytes.reduce(0) { $0 + qWidth($1) }
        let usesB = (bytes.count + 2) / 3 * 4 < quoted
        var column = column
        var start = 0
        while start < bytes.count {
            if start > 0 || column > lineLength - 24 {
                out.append(contentsOf: "\r\n ".utf8)
                column = 1
            }
            // "=?utf-8?B?" and "?="
            let room = lineLength - column - 12
            var end = start
            var width = 0
            while end < bytes.count {
                let next = end + scalarLength(bytes[end])
                let grown = usesB ? (next - start + 2) / 3 * 4 : bytes[end..<next].reduce(width) { $0 + qWidth($1) }
                guard grown <= room else { break }
                width = grown
                end = next
            }
            out.append(contentsOf: (usesB ? "=?utf-8?B?" : "=?utf-8?Q?").utf8)
            if usesB {
                BodyEncoding.appendBase64(bytes[start..<end], to: &out)
            } else {
                for byte in bytes[start..<end] { appendQ(byte, to: &out) }
            }
            out.append(contentsOf: "?=".utf8)
            column += 12 + width
            start = end
        }
        return column
    }

    /// The narrow set of RFC 2047 §5 (3), which is right in a phrase and so everywhere.
    private static func isQPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"): true
        default: isLetterOrDigit(byte)
        }
    }

    private static func qWidth(_ byte: UInt8) -> Int { byte == 0x20 || isQPlain(byte) ? 1 : 3 }

    private static func appendQ(_ byte: UInt8, to out: inout [UInt8]) {
        if byte == 0x20 {
            out.append(UInt8(ascii: "_"))
        } else if isQPlain(byte) {
            out.append(byte)
        } else {
            BodyEncoding.appendEscape(byte, to: &out)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    private static func scalarLength(_ lead: UInt8) -> Int {
        lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }
}
