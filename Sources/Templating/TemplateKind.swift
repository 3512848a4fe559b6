/// What a template's file becomes, which decides how inserted values are made harmless.
///
/// In every kind these are removed from a value: C0 controls other than TAB and LF, DEL, the line separators U+2028 and U+2029, and the
/// bidirectional controls U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069. They show nothing themselves and let a name turn the text
/// around it about.
public enum TemplateKind: Sendable {
    /// HTML: `&`, `<`, `>`, `"` and `'` become character references.
    case html
    /// Plain text: a value stays as it is, but for the removed controls.
    case text
    /// A mail's subject: as `text`, and each run of CR, LF and TAB becomes one space, in values and in the template alike.
    case subject
}

extension TemplateKind {
    /// Appends a value to the output, made harmless for this kind.
    func append(_ value: String, to output: inout [UInt8]) {
        if value.utf8.allSatisfy(isPlain) {
            output.append(contentsOf: value.utf8)
            return
        }
        var afterBreak = false
        for scalar in value.unicodeScalars {
            if self == .subject, scalar == "\r" || scalar == "\n" || scalar == "\t" {
                if !afterBreak { output.append(UInt8(ascii: " ")) }
                afterBreak = true
                continue
            }
            if scalar.isRemovedFromValues { continue }
            afterBreak = false
            if self == .html, let reference = scalar.characterReference {
                output.append(contentsOf: reference.utf8)
            } else if scalar.isASCII {
                output.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// Whether a byte can be copied without a look at its neighbours: most values consist of nothing else.
    private func isPlain(_ byte: UInt8) -> Bool {
        guard byte >= 0x20, byte < 0x7F else { return false }
        guard self == .html else { return true }
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): return false
        default: return true
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isRemovedFromValues: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var characterReference: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}
