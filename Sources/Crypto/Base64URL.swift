/// Unpadded base64 with the alphabet that is safe in URLs (RFC 4648 §5).
public enum Base64URL {
    /// The text for the bytes, without padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes, alphabet: .url)
    }

    /// The bytes, or `nil` when the text is not exactly what `encode` would write.
    ///
    /// Refused are padding, white space, other alphabets, impossible lengths, and unused bits that are not zero (RFC 4648 §3.5): with two
    /// spellings for one token, a used or revoked token would pass as another.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Base64.decode(text, alphabet: .url)
    }
}

/// Both unpadded base64 alphabets; password hashes use the standard one.
enum Base64 {
    /// The last two characters, which is where the alphabets differ.
    enum Alphabet {
        case standard
        case url

        fileprivate var last: (UInt8, UInt8) {
            switch self {
            case .standard: (UInt8(ascii: "+"), UInt8(ascii: "/"))
            case .url: (UInt8(ascii: "-"), UInt8(ascii: "_"))
            }
        }
    }

    static func encode(_ bytes: [UInt8], alphabet: Alphabet) -> String {
        let last = alphabet.last
        let length = (bytes.count * 4 + 2) / 3
        return unsafe String(unsafeUninitializedCapacity: length) { text in
            var (position, pending, pendingBits) = (0, UInt32(0), 0)
            for byte in bytes {
                pending = pending << 8 | UInt32(byte)
                pendingBits += 8
                while pendingBits >= 6 {
                    pendingBits -= 6
                    unsafe text[position] = character(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)) & 63, last)
                    position += 1
                }
            }
            if pendingBits > 0 {
                unsafe text[position] = character(UInt8(truncatingIfNeeded: pending << UInt32(6 - pendingBits)) & 63, last)
                position += 1
            }
            return position
        }
    }

    static func decode(_ text: some StringProtocol, alphabet: Alphabet) -> [UInt8]? {
        // Copied first: walking another module's string type costs ten times as much as walking an array.
        let characters = Array(String(text).utf8)
        let length = characters.count
        guard length % 4 != 1 else { return nil }
        let last = alphabet.last
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length * 3 / 4)
        var (pending, pendingBits) = (UInt32(0), 0)
        for character in characters {
            guard let value = value(character, last) else { return nil }
            pending = pending << 6 | UInt32(value)
            pendingBits += 6
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
            }
        }
        let unused = pending & (1 << UInt32(pendingBits) - 1)
        return unused == 0 ? bytes : nil
    }

    private static func character(_ value: UInt8, _ last: (UInt8, UInt8)) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: last.0
        default: last.1
        }
    }

    private static func value(_ character: UInt8, _ last: (UInt8, UInt8)) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case last.0: 62
        case last.1: 63
        default: nil
        }
    }
}
