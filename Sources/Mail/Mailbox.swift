/// A name and an address, as From and Reply-To hold them (RFC 5322 §3.4).
public struct Mailbox: Sendable, Equatable {
    /// The display name, or nil.
    public var name: String?
    /// The address.
    public var address: EmailAddress

    /// Makes a mailbox.
    public init(name: String?, address: EmailAddress) {
        self.name = name
        self.address = address
    }
}

extension Mailbox {
    /// The most octets of a display name that go into a header; the rest is cut at a character.
    static let longestName = 128

    /// Reads `Example <noreply@example.com>`, `"Example, Inc." <noreply@example.com>` or a bare address.
    ///
    /// Throws what the address throws, and `misplacedBrackets`. Encoded words (RFC 2047) in the text stay as they are: write the name itself.
    public init(_ text: String) throws(EmailAddressError) {
        guard text.utf8.count <= 4096 else { throw .tooLong }
        let bytes = Array(text.utf8).trimmingASCIIWhiteSpace()
        guard bytes.last == UInt8(ascii: ">") else {
            guard !bytes.contains(UInt8(ascii: "<")) else { throw .misplacedBrackets }
            self.init(name: nil, address: try EmailAddress(text))
            return
        }
        guard let opening = bytes.lastIndex(of: UInt8(ascii: "<")) else { throw .misplacedBrackets }
        let address = try EmailAddress(String(decoding: bytes[(opening + 1)..<(bytes.endIndex - 1)], as: UTF8.self))
        let phrase = Array(bytes[..<opening]).trimmingASCIIWhiteSpace()
        let name = try Self.unquoted(phrase)
        self.init(name: name.isEmpty ? nil : name, address: address)
    }

    /// The value of a From, To or Reply-To field: the name as it is, in quotes or as encoded words (RFC 2047), then the address; folded with
    /// CRLF and a blank so that lines stay within 78 octets where they can.
    public var headerValue: String {
        var out: [UInt8] = []
        appendHeaderValue(to: &out, column: "Reply-To: ".utf8.count)
        return String(decoding: out, as: UTF8.self)
    }

    func appendHeaderValue(to out: inout [UInt8], column: Int) {
        // One blank between words: more mean nothing in a phrase, and readers keep or drop them as they like.
        let name = HeaderText.cleaned(self.name ?? "", limit: Self.longestName).split(separator: " ").joined(separator: " ")
        guard !name.isEmpty else { return out.append(contentsOf: address.text.utf8) }
        let end = HeaderText.appendPhrase(name, to: &out, column: column)
        let address = address.text
        if end + address.utf8.count + 3 > HeaderText.lineLength { out.append(contentsOf: "\r\n".utf8) }
        out.append(contentsOf: " <".utf8)
        out.append(contentsOf: address.utf8)
        out.append(UInt8(ascii: ">"))
    }

    /// The text of a quoted string (RFC 5322 §3.2.4), or the phrase itself when it has no quotes.
    private static func unquoted(_ phrase: ArraySlice<UInt8>) throws(EmailAddressError) -> String {
        guard phrase.first == UInt8(ascii: "\"") else {
            guard !phrase.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) else { throw .misplacedBrackets }
            return String(decoding: phrase, as: UTF8.self)
        }
        var text: [UInt8] = []
        var isEscaped = false
        for (index, byte) in zip(phrase.indices, phrase).dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            } else if byte == UInt8(ascii: "\"") {
                guard index == phrase.endIndex - 1 else { throw .misplacedBrackets }
                return String(decoding: text, as: UTF8.self)
            }
            text.append(byte)
        }
        throw .misplacedBrackets
    }
}
