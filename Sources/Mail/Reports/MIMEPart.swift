internal import FoundationEssentials

/// A message or a part of one that came from outside: its header fields and its body as bytes (RFC 2045). Whatever is malformed is read as far as
/// it goes, and never throws.
struct MIMEPart {
    /// Names in lower case, values unfolded; in order.
    let fields: [(name: String, value: String)]
    /// As it came, still encoded.
    let body: ArraySlice<UInt8>

    /// Splits at the first empty line. A line `From …` before the fields, as mailboxes have it, is skipped.
    init(_ bytes: ArraySlice<UInt8>) {
        var (fields, rest) = Self.fields(bytes)
        if fields.isEmpty, bytes.starts(with: "From ".utf8), let end = bytes.firstIndex(of: 0x0A) {
            (fields, rest) = Self.fields(bytes[(end + 1)...])
        }
        self.fields = fields
        body = rest
    }

    /// The first field with this name, in lower case.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Such as `multipart/report`, in lower case; `text/plain` when none is given.
    var mediaType: String {
        let type = (self["content-type"] ?? "text/plain").prefix { $0 != ";" }
        return Self.trimmed(type[...]).lowercased()
    }

    /// The body without its transfer encoding; nil for an encoding that is none.
    var decodedBody: [UInt8]? {
        switch Self.trimmed((self["content-transfer-encoding"] ?? "7bit")[...]).lowercased() {
        case "7bit", "8bit", "binary": Array(body)
        case "quoted-printable": Self.quotedPrintable(body)
        case "base64": Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters).map { [UInt8]($0) }
        default: nil
        }
    }

    /// The parts of a multipart body; none for anything else.
    var parts: [MIMEPart] {
        guard mediaType.hasPrefix("multipart/"), let boundary = parameter("boundary"), !boundary.isEmpty else { return [] }
        let delimiter = Array("--".utf8) + Array(boundary.utf8)
        var parts: [MIMEPart] = []
        var start: Int?
        var index = body.startIndex
        while index < body.endIndex {
            let end = body[index...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
            if body[index..<end].starts(with: delimiter) {
                if let start, parts.count < 100 { parts.append(MIMEPart(body[start..<index])) }
                let isLast = body[(index + delimiter.count)..<end].starts(with: "--".utf8)
                start = isLast ? nil : end
                if isLast { return parts }
            }
            index = end
        }
        if let start, parts.count < 100 { parts.append(MIMEPart(body[start...])) }
        return parts
    }

    /// A parameter of Content-Type by its name in lower case, with or without quotes (RFC 2045 §5.1).
    func parameter(_ name: String) -> String? {
        guard let header = self["content-type"] else { return nil }
        var items: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in header.utf8 {
            if isEscaped {
                items[items.count - 1].append(byte)
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ";"), !isQuoted {
                items.append([])
            } else {
                items[items.count - 1].append(byte)
            }
        }
        for item in items.dropFirst() {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let found = Self.trimmed(String(decoding: item[..<equals], as: UTF8.self)[...]).lowercased()
            if found == name { return Self.trimmed(String(decoding: item[(equals + 1)...], as: UTF8.self)[...]) }
        }
        return nil
    }

    /// Header fields up to an empty line or the end, and what follows.
    static func fields(_ bytes: ArraySlice<UInt8>) -> (fields: [(name: String, value: String)], rest: ArraySlice<UInt8>) {
        var fields: [(name: String, value: String)] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            var line = rest[..<end]
            while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
            if line.isEmpty { return (fields, rest[end...]) }
            if line.first == 0x20 || line.first == 0x09 {
                guard !fields.isEmpty else { return ([], bytes) }
                fields[fields.count - 1].value += " " + trimmed(String(decoding: line, as: UTF8.self)[...])
            } else {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return ([], bytes) }
                let name = trimmed(String(decoding: line[..<colon], as: UTF8.self)[...]).lowercased()
                fields.append((name, trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self)[...])))
            }
            rest = rest[end...]
        }
        return (fields, rest)
    }

    static func trimmed(_ text: Substring) -> String {
        var bytes = text.utf8[...]
        while let first = bytes.first, first == 0x20 || first == 0x09 || first == 0x0D { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 || last == 0x0D { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "=") else {
                out.append(byte)
                continue
            }
            if index < bytes.endIndex, bytes[index] == 0x0A {
                index += 1
            } else if index + 1 < bytes.endIndex {
                if bytes[index] == 0x0D, bytes[index + 1] == 0x0A {
                    index += 2
                } else if let value = UInt8(String(decoding: bytes[index...(index + 1)], as: UTF8.self), radix: 16) {
                    out.append(value)
                    index += 2
                } else {
                    out.append(byte)
                }
            }
        }
        return out
    }
}
