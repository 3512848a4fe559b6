/// Follows HTML byte by byte, as far as needed to know what a value inserted at this point would be part of.
///
/// After the tokeniser of the HTML standard, section 13.2.5; where that one forgives, this one stays in the state that refuses values.
struct HTMLContext {
    enum State: Equatable {
        case text, tagOpen, tagName, beforeAttribute, attributeName, afterAttributeName, beforeValue, quotedValue(UInt8), unquotedValue
        case declaration, comment, rawText
    }

    /// What must be the same at both ends of a section.
    struct Place: Equatable {
        fileprivate(set) var state = State.text
        fileprivate(set) var element: [UInt8] = []
        fileprivate(set) var attribute: [UInt8] = []
        fileprivate(set) var isEndTag = false
    }

    private(set) var place = Place()
    /// Whether the literal part of an attribute's value already holds one of `:/?#`.
    var isSchemeDecided = false
    /// How much of a comment's or a raw text's end has been seen.
    private var progress = 0

    /// Where a value with this name would stand, or why it must not stand here.
    func valuePlace(for name: String) -> Result<ValuePlace, Refusal> {
        switch place.state {
        case .text:
            return .success(.plain)
        case .quotedValue:
            let attribute = String(decoding: place.attribute, as: UTF8.self)
            if attribute.hasPrefix("on") || Self.refusedAttributes.contains(attribute) {
                return .failure(Refusal("a value cannot stand in the attribute '\(attribute)'"))
            }
            guard Self.addressAttributes.contains(attribute) else { return .success(.plain) }
            if name == "link" || name.hasSuffix("Link") || name.hasSuffix("URL") { return .success(.link) }
            return .success(isSchemeDecided ? .plain : .reference)
        case .rawText:
            return .failure(Refusal("a value cannot stand inside <\(String(decoding: place.element, as: UTF8.self))>"))
        case .comment, .declaration:
            return .failure(Refusal("a value cannot stand in an HTML comment or declaration"))
        case .tagOpen, .tagName, .beforeAttribute, .attributeName, .afterAttributeName, .beforeValue, .unquotedValue:
            return .failure(Refusal("inside a tag a value stands only within a quoted attribute"))
        }
    }

    /// Why a value is refused, for people.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    private static let refusedAttributes: Set = ["style", "srcdoc", "srcset"]
    private static let addressAttributes: Set = [
        "action", "background", "cite", "data", "formaction", "href", "longdesc", "poster", "src", "xlink:href",
    ]
    private static let rawTextElements: Set = ["iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"]

    /// Goes on by a stretch of literal template text.
    mutating func advance(over bytes: ArraySlice<UInt8>) {
        for byte in bytes { advance(over: byte) }
    }

    private mutating func advance(over byte: UInt8) {
        switch place.state {
        case .text:
            if byte == UInt8(ascii: "<") { begin(.tagOpen) }
        case .tagOpen:
            afterTagOpen(byte)
        case .declaration:
            afterDeclarationOpen(byte)
        case .comment:
            if byte == UInt8(ascii: "-") {
                progress += 1
            } else if byte == UInt8(ascii: ">"), progress >= 2 {
                place = Place()
            } else if byte != UInt8(ascii: "!") {
                progress = 0
            }
        case .rawText:
            insideRawText(byte)
        case .tagName, .beforeAttribute, .attributeName, .afterAttributeName, .beforeValue, .quotedValue, .unquotedValue:
            insideTag(byte)
        }
    }

    private mutating func begin(_ state: State) {
        place.state = state
        progress = 0
    }

    private mutating func afterTagOpen(_ byte: UInt8) {
        if byte.isASCIILetter {
            place.element = [byte.asciiLowercased]
            place.state = .tagName
        } else if byte == UInt8(ascii: "/"), !place.isEndTag {
            place.isEndTag = true
        } else if byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") {
            place.isEndTag = false
            begin(.declaration)
        } else if byte == UInt8(ascii: "<") {
            place.isEndTag = false
        } else {
            place = Place()
        }
    }

    private mutating func afterDeclarationOpen(_ byte: UInt8) {
        if byte == UInt8(ascii: ">") {
            place = Place()
        } else if byte == UInt8(ascii: "-"), progress >= 0 {
            progress += 1
            // Two dashes already count towards the end: `<!-->` is a whole comment.
            if progress == 2 { place.state = .comment }
        } else {
            progress = -1
        }
    }

    private mutating func insideRawText(_ byte: UInt8) {
        if progress == place.element.count + 2 {
            if byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") {
                place.isEndTag = true
                place.state = .beforeAttribute
                insideTag(byte)
                return
            }
            progress = 0
        }
        let expected =
            switch progress {
            case 0: UInt8(ascii: "<")
            case 1: UInt8(ascii: "/")
            default: place.element[progress - 2]
            }
        if byte.asciiLowercased == expected {
            progress += 1
        } else {
            progress = byte == UInt8(ascii: "<") ? 1 : 0
        }
    }

    private mutating func insideTag(_ byte: UInt8) {
        switch place.state {
        case .quotedValue(let quote):
            if byte == quote {
                beginAttribute()
            } else if ":/?#".utf8.contains(byte) {
                isSchemeDecided = true
            }
        case .beforeValue where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            isSchemeDecided = false
            place.state = .quotedValue(byte)
        case .beforeValue where byte.isHTMLSpace:
            break
        case _ where byte == UInt8(ascii: ">"):
            endTag()
        case .unquotedValue, .beforeValue:
            if byte.isHTMLSpace { beginAttribute() } else { place.state = .unquotedValue }
        case _ where byte == UInt8(ascii: "/"):
            beginAttribute()
        case .tagName:
            if byte.isHTMLSpace { beginAttribute() } else { place.element.append(byte.asciiLowercased) }
        case .attributeName where byte.isHTMLSpace:
            place.state = .afterAttributeName
        case .attributeName where byte == UInt8(ascii: "="), .afterAttributeName where byte == UInt8(ascii: "="):
            place.state = .beforeValue
        case .attributeName:
            place.attribute.append(byte.asciiLowercased)
        case _ where byte.isHTMLSpace:
            break
        default:
            place.attribute = [byte.asciiLowercased]
            place.state = .attributeName
        }
    }

    private mutating func beginAttribute() {
        place.attribute = []
        place.state = .beforeAttribute
    }

    private mutating func endTag() {
        let element = place.element
        let isRaw = !place.isEndTag && Self.rawTextElements.contains(String(decoding: element, as: UTF8.self))
        place = Place()
        if isRaw {
            place.element = element
            begin(.rawText)
        }
    }
}

extension UInt8 {
    fileprivate var isHTMLSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }
}
