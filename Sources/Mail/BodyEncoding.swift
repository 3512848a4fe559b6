/// The two ways in which a body travels: quoted-printable (RFC 2045 §6.7) and base64 (§6.8), lines of at most 76 octets, CRLF.
enum BodyEncoding: String {
    case quotedPrintable = "quoted-printable"
    case base64

    /// Quoted-printable unless it is more than 1.35 times as long as the text, where base64 (1.37) is no worse and no less readable.
    static func best(for text: [UInt8]) -> BodyEncoding {
        let classes = classes
        var escapes = 0
        for byte in text where classes[Int(byte)] == .escaped { escapes += 1 }
        return (text.count + 2 * escapes) * 100 > text.count * 135 ? .base64 : .quotedPrintable
    }

    /// Appends `text` encoded; any line break of it (CRLF, LF, CR) becomes CRLF. Adds no line break at the end.
    func append(_ text: [UInt8], to out: inout [UInt8]) {
        switch self {
        case .quotedPrintable: Self.appendQuotedPrintable(text, to: &out)
        case .base64:
            let canonical = Self.canonical(text)
            var start = 0
            while start < canonical.count {
                if start > 0 { Self.appendLineBreak(to: &out) }
                let end = min(start + 57, canonical.count)
                Self.appendBase64(canonical[start..<end], to: &out)
                start = end
            }
        }
    }

    private enum Class {
        /// Goes as it is.
        case plain
        /// Blank and tab: as they are, but not at the end of a line.
        case blank
        case lineBreak
        case escaped
    }

    private static let classes: [Class] = (0..<256).map { byte in
        switch byte {
        case 0x0A, 0x0D: .lineBreak
        case 0x09, 0x20: .blank
        case 0x3D: .escaped
        case 0x21...0x7E: .plain
        default: .escaped
        }
    }

    private static func appendQuotedPrintable(_ text: [UInt8], to out: inout [UInt8]) {
        let classes = classes
        let count = text.count
        var index = 0
        var column = 0
        while index < count {
            let byte = text[index]
            let kind = classes[Int(byte)]
            if kind == .lineBreak {
                appendLineBreak(to: &out)
                column = 0
                index += byte == 0x0D && index + 1 < count && text[index + 1] == 0x0A ? 2 : 1
                continue
            }
            // One column is kept for the "=" of a soft break.
            let mustEscape =
                kind == .escaped
                || (kind == .blank && (index + 1 == count || classes[Int(text[index + 1])] == .lineBreak))
                || (column == 0 && isHarmfulFirst(text, index))
            guard column + (mustEscape ? 3 : 1) <= 75 else {
                out.append(UInt8(ascii: "="))
                appendLineBreak(to: &out)
                column = 0
                continue
            }
            if mustEscape {
                appendEscape(byte, to: &out)
                column += 3
                index += 1
                continue
            }
            let limit = min(count, index + 75 - column)
            var end = index + 1
            while end < limit, classes[Int(text[end])] == .plain || classes[Int(text[end])] == .blank { end += 1 }
            // A blank that the run ends with may be the last of its line; the next round looks at it alone.
            if end - index > 1, classes[Int(text[end - 1])] == .blank { end -= 1 }
            out.append(contentsOf: text[index..<end])
            column += end - index
            index = end
        }
    }

    /// A dot, which careless relays stuff wrongly, and `From `, which mailboxes mark with `>` (RFC 2049 §3).
    private static func isHarmfulFirst(_ text: [UInt8], _ index: Int) -> Bool {
        text[index] == UInt8(ascii: ".") || (text[index] == UInt8(ascii: "F") && text[index...].starts(with: "From ".utf8))
    }

    private static func canonical(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + text.count / 16)
        var previous = UInt8(0)
        for byte in text {
            switch byte {
            case 0x0D: appendLineBreak(to: &result)
            case 0x0A: if previous != 0x0D { appendLineBreak(to: &result) }
            default: result.append(byte)
            }
            previous = byte
        }
        return result
    }

    static func appendBase64(_ bytes: ArraySlice<UInt8>, to out: inout [UInt8]) {
        let alphabet = base64Alphabet
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let left = bytes.endIndex - index
            let first = Int(bytes[index])
            let second = left > 1 ? Int(bytes[index + 1]) : 0
            let third = left > 2 ? Int(bytes[index + 2]) : 0
            out.append(alphabet[first >> 2])
            out.append(alphabet[(first & 3) << 4 | second >> 4])
            out.append(left > 1 ? alphabet[(second & 15) << 2 | third >> 6] : UInt8(ascii: "="))
            out.append(left > 2 ? alphabet[third & 63] : UInt8(ascii: "="))
            index += 3
        }
    }

    private static let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    static func appendEscape(_ byte: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "="))
        out.append(hexDigits[Int(byte >> 4)])
        out.append(hexDigits[Int(byte & 15)])
    }

    private static func appendLineBreak(to out: inout [UInt8]) {
        out.append(0x0D)
        out.append(0x0A)
    }
}
