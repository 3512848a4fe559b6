// By ASCII value, not by comparing characters: "b" with a combining accent sorts between "b" and "c", and the Kelvin sign equals "K".
extension Character {
    var isASCIILetter: Bool { isASCIILowerCaseLetter || asciiValue.map { (0x41...0x5A).contains($0) } ?? false }

    var isASCIILowerCaseLetter: Bool { asciiValue.map { (0x61...0x7A).contains($0) } ?? false }

    var isASCIIDigit: Bool { asciiValue.map { (0x30...0x39).contains($0) } ?? false }

    var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

    var isASCIIHexDigit: Bool { isASCII && isHexDigit }

    /// The character as an error shows it; whatever cannot be typed as visible ASCII is named by its code points.
    var quoted: String {
        if self == " " { return "a space" }
        if isASCII, let ascii = asciiValue, (0x21...0x7E).contains(ascii) { return "\"\(self)\"" }
        return unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true).zeroPadded(to: 4) }.joined(separator: " ")
    }
}

extension String {
    /// The string with zeros before it, `length` ASCII characters long at least.
    func zeroPadded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - utf8.count)) + self
    }
}
