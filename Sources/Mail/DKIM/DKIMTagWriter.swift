/// Writes the tags of a `DKIM-Signature` field, folded between tags and between the names of `h=` (RFC 6376 §3.2).
struct DKIMTagWriter {
    private(set) var out: [UInt8]
    private var column = 0

    init(out: [UInt8]) {
        self.out = out
    }

    mutating func begin() {
        append("DKIM-Signature:")
    }

    /// A whole tag with its semicolon, on the next line when it does not fit.
    mutating func tag(_ text: String) {
        part(text, isFirst: true)
    }

    /// A part of a tag; between the parts of one tag stands white space only where the line is folded.
    mutating func part(_ text: String, isFirst: Bool) {
        if column + text.utf8.count + 1 > HeaderText.lineLength {
            fold()
        } else if isFirst {
            append(" ")
        }
        append(text)
    }

    /// A tag on a line of its own, whose value is appended later.
    mutating func lastTag(_ text: String) {
        fold()
        append(text)
    }

    /// Appends the value of `b=`, folded. White space in it means nothing.
    static func appendBase64(_ bytes: [UInt8], to out: inout [UInt8]) {
        // 54 octets are 72 characters without padding within, behind " b=" 75.
        var start = 0
        while start < bytes.count {
            if start > 0 { out.append(contentsOf: "\r\n ".utf8) }
            let end = min(start + 54, bytes.count)
            BodyEncoding.appendBase64(bytes[start..<end], to: &out)
            start = end
        }
    }

    private mutating func fold() {
        out.append(contentsOf: "\r\n ".utf8)
        column = 1
    }

    private mutating func append(_ text: String) {
        out.append(contentsOf: text.utf8)
        column += text.utf8.count
    }
}
