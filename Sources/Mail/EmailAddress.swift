/// An address that mail can go to, in the one form in which it is sent to, stored and compared.
public struct EmailAddress: Sendable, Hashable {
    /// What stands before the `@`, lower case, quoted forms refused.
    public let localPart: String
    /// The domain as A-labels, lower case (RFC 5890 §2.3.2.1).
    public let domain: String

    /// The whole address.
    public var text: String { localPart + "@" + domain }

    /// Whether the local part is ASCII too, so that any mail server takes it.
    public var isASCII: Bool { localPart.utf8.allSatisfy { $0 < 0x80 } }

    /// The address with its local part cut to the first character and three bullets, such as `a•••@example.com`, for pages.
    public var masked: String { "\(localPart.first.map(String.init) ?? "")•••@\(domain)" }

    init(localPart: String, domain: String) {
        self.localPart = localPart
        self.domain = domain
    }
}

extension EmailAddress {
    /// Reads an address as people type it; the one place where addresses get their form.
    ///
    /// ASCII white space around it goes. The local part is lower-cased scalar by scalar, without locale or context; beyond ASCII it may have
    /// the letters, marks and digits that IDNA2008 allows in a label, and is brought to NFC. The domain becomes A-labels (see `HostName`)
    /// and has a dot or is `localhost`. Dots and `+tags` stay, nothing is folded into something that looks alike.
    public init(_ text: String) throws(EmailAddressError) {
        // Whatever is longer than this is longer than 254 octets in every form; refused before any work is spent on it.
        guard text.utf8.count <= 4096 else { throw .tooLong }
        let bytes = Array(text.utf8).trimmingASCIIWhiteSpace()
        guard !bytes.isEmpty else { throw .empty }
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else {
            throw bytes.contains { $0 <= 0x20 || $0 >= 0x7F } ? Self.flawOfUnreadable(bytes) ?? .missingAt : .missingAt
        }
        guard bytes[bytes.startIndex] != UInt8(ascii: "\"") else { throw .quotedLocalPart }
        if let flaw = Self.flawOfUnreadable(bytes) { throw flaw }
        guard bytes[(at + 1)...].firstIndex(of: UInt8(ascii: "@")) == nil else { throw .severalAts }
        let localPart = try Self.normalisedLocalPart(bytes[..<at])
        let domain = try Self.normalisedDomain(bytes[(at + 1)...])
        guard localPart.utf8.count + 1 + domain.utf8.count <= 254 else { throw .tooLong }
        self.init(localPart: localPart, domain: domain)
    }

    /// White space, control characters and what cannot be seen, in either part.
    private static func flawOfUnreadable(_ bytes: ArraySlice<UInt8>) -> EmailAddressError? {
        var isPlain = true
        for byte in bytes {
            if byte <= 0x20 || byte == 0x7F { return byte == 0x20 || byte == 0x09 ? .whiteSpace : .invisibleCharacter }
            if byte >= 0x80 { isPlain = false }
        }
        guard !isPlain else { return nil }
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            if scalar.properties.isDefaultIgnorableCodePoint { return .invisibleCharacter }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return .invisibleCharacter
            case .spaceSeparator: return .whiteSpace
            default: break
            }
        }
        return nil
    }

    private static func normalisedLocalPart(_ part: ArraySlice<UInt8>) throws(EmailAddressError) -> String {
        guard !part.isEmpty else { throw .localPartMissing }
        var lowered: [UInt8] = []
        lowered.reserveCapacity(part.count)
        var isPlain = true
        var previous = UInt8(ascii: ".")
        for byte in part {
            switch byte {
            case UInt8(ascii: "."): guard previous != byte else { throw .misplacedDot }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case 0x80...: isPlain = false
            default: guard Self.isAtomMark(byte) else { throw .forbiddenCharacter }
            }
            previous = byte
            lowered.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
        guard previous != UInt8(ascii: ".") else { throw .misplacedDot }
        let result = isPlain ? String(decoding: lowered, as: UTF8.self) : try normalisedBeyondASCII(String(decoding: part, as: UTF8.self))
        guard result.utf8.count <= 64 else { throw .localPartTooLong }
        return result
    }

    /// Runs of letters and digits between ASCII marks are treated like the labels of a domain, which also brings them to NFC.
    private static func normalisedBeyondASCII(_ part: String) throws(EmailAddressError) -> String {
        var result = ""
        var run = ""
        func takeRun() throws(EmailAddressError) {
            defer { run = "" }
            guard run.utf8.contains(where: { $0 >= 0x80 }) else { return result += run }
            switch HostName.normalisedLabel(run) {
            case .success(let normalised): result += normalised
            case .failure(.labelTooLong), .failure(.tooLong): throw .localPartTooLong
            case .failure: throw .forbiddenCharacter
            }
        }
        for scalar in part.unicodeScalars {
            switch scalar.properties.generalCategory {
            // The Kelvin sign would become a plain k, the only scalar beyond ASCII that does such a thing.
            case _ where scalar == "\u{212A}": throw .forbiddenCharacter
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
                .decimalNumber:
                run += scalar.properties.lowercaseMapping
            case _ where scalar.isASCII:
                try takeRun()
                result.unicodeScalars.append(scalar)
            default: throw .forbiddenCharacter
            }
        }
        try takeRun()
        return result
    }

    private static func normalisedDomain(_ domain: ArraySlice<UInt8>) throws(EmailAddressError) -> String {
        guard let first = domain.first else { throw .domainMissing }
        guard first != UInt8(ascii: "[") else { throw .addressLiteral }
        switch HostName.normalise(domain) {
        case .success(let name):
            guard name.utf8.contains(UInt8(ascii: ".")) || name == "localhost" else { throw .domainWithoutDot }
            return name
        case .failure(.tooLong): throw .domainTooLong
        case .failure(.labelTooLong): throw .labelTooLong
        case .failure(.misplacedDot): throw .misplacedDot
        case .failure(.malformed): throw .malformedDomain
        }
    }

    /// The marks of `atext` (RFC 5322 §3.2.3).
    static func isAtomMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "^")...UInt8(ascii: "`"),
            UInt8(ascii: "{")...UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Array<UInt8> {
    func trimmingASCIIWhiteSpace() -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else { return [] }
        return self[first...last]
    }
}
