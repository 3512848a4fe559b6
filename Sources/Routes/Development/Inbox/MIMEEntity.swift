/// A message or a part of one, cut into header fields and body (RFC 5322 §2.1, RFC 2045 §2.4). Whatever the bytes, there is a result.
struct MIMEEntity {
    /// The fields in order: names as written, values unfolded but not decoded.
    let fields: [(name: String, value: ArraySlice<UInt8>)]
    /// What follows the blank line; everything from the first line on that cannot be a header field.
    let body: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        var fields: [(name: String, value: ArraySlice<UInt8>)] = []
        var rest = bytes
        while !rest.isEmpty {
            let line = Self.line(of: rest)
            if line.content.isEmpty {
                rest = rest[line.end...]
                break
            }
            if let first = line.content.first, first == 0x20 || first == 0x09, let last = fields.indices.last {
                fields[last].value += line.content
            } else if let colon = line.content.firstIndex(of: UInt8(ascii: ":")), let name = Self.name(line.content[..<colon]) {
                fields.append((name, line.content[(colon + 1)...]))
            } else {
                break
            }
            rest = rest[line.end...]
        }
        self.fields = fields.map { ($0.name, $0.value.trimmingBlanks()) }
        body = rest
    }

    /// The first field of a name, without regard to case.
    func field(_ name: String) -> ArraySlice<UInt8>? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// A line without its end, which is LF or CRLF, and where the next one begins.
    static func line(of bytes: ArraySlice<UInt8>) -> (content: ArraySlice<UInt8>, end: Int) {
        guard let feed = bytes.firstIndex(of: 0x0A) else { return (bytes, bytes.endIndex) }
        let content = bytes[..<feed]
        return (content.last == 0x0D ? content.dropLast() : content, feed + 1)
    }

    /// RFC 5322 §2.2, and blanks before the colon, which old software wrote (§4.5).
    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        let name = bytes.trimmingBlanks()
        guard !name.isEmpty, name.startIndex == bytes.startIndex, name.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Without blanks, tabs and stray carriage returns at both ends.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var result = drop(while: isBlank)
        while let last = result.last, isBlank(last) { result.removeLast() }
        return result
    }
}
