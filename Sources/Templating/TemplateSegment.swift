/// One step of a parsed template. A slot is an index into the template's list of names.
enum TemplateSegment: Sendable, Equatable {
    case literal([UInt8])
    case value(slot: Int, place: ValuePlace)
    /// The segments up to `end` are its inside; a section's closing tag is no segment.
    case section(slot: Int, isInverted: Bool, end: Int)
    case content
}

/// Where a value stands, as far as escaping does not already make it safe.
enum ValuePlace: Sendable, Equatable {
    case plain
    /// An address by its name, in an attribute that holds one.
    case link
    /// Any other value where an address's scheme could begin.
    case reference

    /// Whether a value may be shown here.
    func admits(_ value: String) -> Bool {
        switch self {
        case .plain:
            return true
        case .link:
            return ["https://", "http://", "intent:"].contains { value.utf8.hasPrefixIgnoringCase($0) }
        case .reference:
            // Without a colon before the path, query or fragment, an address is relative: RFC 3986 section 4.2.
            let delimiters = ":/?#".utf8
            guard let first = value.utf8.first(where: { delimiters.contains($0) }), first == UInt8(ascii: ":") else { return true }
            return ["https:", "http:", "intent:", "mailto:", "tel:"].contains { value.utf8.hasPrefixIgnoringCase($0) }
        }
    }
}

extension Sequence<UInt8> {
    /// `prefix` is ASCII in lower case.
    fileprivate func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
        var bytes = makeIterator()
        return prefix.utf8.allSatisfy { expected in bytes.next()?.asciiLowercased == expected }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    var isASCIILetter: Bool {
        (0x61...0x7A).contains(asciiLowercased)
    }

    var isASCIIDigit: Bool {
        (0x30...0x39).contains(self)
    }
}
