/// A reader of messages that shares nothing with what writes them and forgives nothing; for tests.
struct StrictMessage {
    enum Flaw: Error, Equatable {
        case lineEnd(offset: Int)
        case lineTooLong(Int)
        case notASCII(line: String)
        case field(String)
        case encodedWord(String)
        case multipart(String)
        case encoding(String)
    }

    /// Name and unfolded value, in order.
    private(set) var fields: [(name: String, value: String)] = []
    /// Content type and decoded text.
    private(set) var parts: [(type: String, text: String)] = []

    /// Throws at the first flaw. `allowUTF8` is for fields with an address beyond ASCII (RFC 6532).
    init(_ octets: [UInt8], allowUTF8: Bool = false) throws(Flaw) {
        var lines = try Self.lines(octets)
        guard let blank = lines.firstIndex(of: "") else { throw .multipart("no empty line behind the header") }
        for line in lines[..<blank] {
            if !allowUTF8, line.utf8.contains(where: { $0 >= 0x7F }) { throw .notASCII(line: line) }
            // A tab within is allowed by RFC 5322; nothing here writes one.
            guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .field(line) }
            guard line.contains(where: { $0 != " " }) else { throw .field("a line of blanks") }
            if line.hasPrefix(" ") {
                guard let last = fields.indices.last else { throw .field(line) }
                fields[last].value += line
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].hasPrefix(" "), parts[0].utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .field(line) }
            fields.append((String(parts[0]), String(parts[1].dropFirst())))
        }
        lines.removeFirst(blank + 1)
        guard lines.allSatisfy({ $0.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x09 } }) else { throw .notASCII(line: "body") }
        try readParts(lines)
    }

    /// The one value of a field.
    func only(_ name: String) throws(Flaw) -> String {
        let found = fields.filter { $0.name.lowercased() == name.lowercased() }
        guard found.count == 1 else { throw .field("\(found.count) times \(name)") }
        return found[0].value
    }

    private static func lines(_ octets: [UInt8]) throws(Flaw) -> [String] {
        var lines: [String] = []
        var start = 0
        for (index, octet) in octets.enumerated() {
            if octet == 0x0D, octets.indices.contains(index + 1), octets[index + 1] == 0x0A { continue }
            if octet == 0x0A, index > 0, octets[index - 1] == 0x0D {
                let line = octets[start..<(index - 1)]
                guard line.count <= 998 else { throw .lineTooLong(line.count) }
                guard let text = String(validating: line, as: UTF8.self) else { throw .notASCII(line: "not even UTF-8") }
                lines.append(text)
                start = index + 1
                continue
            }
            guard octet != 0x0D, octet != 0x0A, octet != 0 else { throw .lineEnd(offset: index) }
        }
        guard start == octets.count else { throw .lineEnd(offset: start) }
        return lines
    }

    private mutating func readParts(_ lines: [String]) throws(Flaw) {
        let type = try only("Content-Type")
        let prefix = "multipart/alternative; boundary=\""
        guard type.hasPrefix(prefix), type.hasSuffix("\"") else { throw .multipart(type) }
        let boundary = "--" + type.dropFirst(prefix.count).dropLast()
        let borders = lines.indices.filter { lines[$0].hasPrefix(boundary) }
        guard borders.count == 3, lines[borders[0]] == boundary, lines[borders[1]] == boundary, lines[borders[2]] == boundary + "--",
            borders[0] == 0 || lines[..<borders[0]].allSatisfy(\.isEmpty), borders[2] == lines.count - 1
        else { throw .multipart("\(borders.count) lines with the boundary") }
        for (from, to) in zip(borders, borders.dropFirst()) {
            let part = Array(lines[(from + 1)..<to])
            guard let blank = part.firstIndex(of: "") else { throw .multipart("a part without an empty line") }
            let head = part[..<blank]
            guard head.count == 2, let type = head.first, type.hasPrefix("Content-Type: text/"), type.hasSuffix("; charset=utf-8"),
                let encoding = head.last, encoding.hasPrefix("Content-Transfer-Encoding: ")
            else { throw .multipart("\(head)") }
            let body = Array(part[(blank + 1)...])
            let octets =
                switch encoding.dropFirst("Content-Transfer-Encoding: ".count) {
                case "quoted-printable": try Self.quotedPrintable(body)
                case "base64": try Self.base64(body.joined())
                default: throw Flaw.encoding(encoding)
                }
            guard body.allSatisfy({ $0.utf8.count <= 76 }), let text = String(validating: octets, as: UTF8.self) else {
                throw .encoding("a long line, or not UTF-8")
            }
            parts.append((String(type.dropFirst("Content-Type: ".count).prefix { $0 != ";" }), text))
        }
    }

    private static func quotedPrintable(_ lines: [String]) throws(Flaw) -> [UInt8] {
        var out: [UInt8] = []
        for (number, line) in lines.enumerated() {
            guard line.last != " ", line.last != "\t" else { throw .encoding("a blank at the end of a line") }
            var rest = Array(line.utf8)[...]
            var isSoft = false
            while let octet = rest.popFirst() {
                guard octet == UInt8(ascii: "=") else {
                    out.append(octet)
                    continue
                }
                if rest.isEmpty {
                    isSoft = true
                    break
                }
                guard let value = hexadecimal(rest.prefix(2)) else { throw .encoding(line) }
                out.append(value)
                rest = rest.dropFirst(2)
            }
            if !isSoft, number + 1 < lines.count { out += [0x0D, 0x0A] }
        }
        return out
    }

    private static func hexadecimal(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func base64(_ text: String) throws(Flaw) -> [UInt8] {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        guard text.utf8.count % 4 == 0 else { throw .encoding("base64 of \(text.utf8.count) characters") }
        var out: [UInt8] = []
        var bits = 0
        var count = 0
        for character in text where character != "=" {
            guard let index = alphabet.firstIndex(of: character) else { throw .encoding("base64 with \(character)") }
            bits = (bits << 6 | alphabet.distance(from: alphabet.startIndex, to: index)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return out
    }

    // MARK: What fields say

    /// Free text with encoded words (RFC 2047 §6): white space between two of them does not count.
    static func decoded(_ value: String) throws(Flaw) -> String {
        var out = ""
        var wasEncoded = false
        for (index, word) in value.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            guard word.hasPrefix("=?") else {
                out += (index > 0 ? " " : "") + word
                wasEncoded = false
                continue
            }
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0] == "=", parts[1] == "utf-8", parts[4] == "=", word.utf8.count <= 75 else {
                throw .encodedWord(String(word))
            }
            let octets: [UInt8]
            switch parts[2] {
            case "B": octets = try base64(String(parts[3]))
            case "Q": octets = try quotedPrintable([String(parts[3].replacing("_", with: "=20"))])
            default: throw .encodedWord(String(word))
            }
            guard let text = String(validating: octets, as: UTF8.self) else { throw .encodedWord(String(word)) }
            if index > 0, !wasEncoded { out += " " }
            out += text
            wasEncoded = true
        }
        return out
    }

    /// One mailbox: its display name, decoded or taken out of its quotes, and its address. A list of two is a flaw.
    static func mailbox(_ value: String) throws(Flaw) -> (name: String, address: String) {
        guard value.hasSuffix(">") else {
            guard !value.contains(where: { " ,;:<>\"()".contains($0) }) else { throw .field(value) }
            return ("", value)
        }
        guard let opening = value.lastIndex(of: "<") else { throw .field(value) }
        let address = String(value[value.index(after: opening)...].dropLast())
        var name = String(value[..<opening])
        while name.hasSuffix(" ") { name.removeLast() }
        guard !address.contains(where: { " ,;:<>\"()".contains($0) }) else { throw .field(value) }
        guard name.hasPrefix("\"") else {
            let decoded = try decoded(name)
            // Outside of encoded words these would end the phrase or begin another address.
            guard name.hasPrefix("=?") || !name.contains(where: { ",;:<>\"()@\\[]".contains($0) }) else { throw .field(value) }
            return (decoded, address)
        }
        var out = String.UnicodeScalarView()
        var rest = name.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let escaped = rest.popFirst() else { throw .field(value) }
                out.append(escaped)
            case "\"":
                guard rest.isEmpty else { throw .field(value) }
                return (String(out), address)
            default: out.append(scalar)
            }
        }
        throw .field(value)
    }
}
