/// Reads header text with encoded words in it (RFC 2047).
enum EncodedWords {
    /// The text; what only looks like an encoded word stays as it is.
    static func decode(_ value: ArraySlice<UInt8>) -> String {
        guard value.contains(UInt8(ascii: "=")) else { return Charset.unknown.text(Array(value)) }
        var text = ""
        var plain: [UInt8] = []
        // Words that follow each other are put together before they are read, since some writers cut inside of a character.
        var word: Word?
        var index = value.startIndex
        while index < value.endIndex {
            guard let (next, end) = self.word(value[index...]) else {
                plain.append(value[index])
                index += 1
                continue
            }
            index = end
            if let pending = word, plain.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                plain = []
                if pending.charset == next.charset {
                    word?.bytes += next.bytes
                } else {
                    text += pending.text
                    word = next
                }
                continue
            }
            text += word?.text ?? ""
            text += Charset.unknown.text(plain)
            plain = []
            word = next
        }
        return text + (word?.text ?? "") + Charset.unknown.text(plain)
    }

    private struct Word {
        let charset: Charset
        var bytes: [UInt8]
        var text: String { charset.text(bytes) }
    }

    /// The encoded word that `value` begins with, `=?set?B?text?=`, and where it ends. A language behind the set (RFC 2231 §5) is left out.
    private static func word(_ value: ArraySlice<UInt8>) -> (Word, end: Int)? {
        let mark = UInt8(ascii: "?")
        guard value.starts(with: "=?".utf8), let setEnd = value.dropFirst(2).firstIndex(of: mark), setEnd + 2 < value.endIndex,
            value[setEnd + 2] == mark
        else { return nil }
        let start = setEnd + 3
        guard let end = value[start...].firstIndex(of: mark), end + 1 < value.endIndex, value[end + 1] == UInt8(ascii: "=") else {
            return nil
        }
        let bytes: [UInt8]
        switch value[setEnd + 1] {
        case UInt8(ascii: "B"), UInt8(ascii: "b"): bytes = TransferDecoding.base64(value[start..<end])
        case UInt8(ascii: "Q"), UInt8(ascii: "q"): bytes = TransferDecoding.q(value[start..<end])
        default: return nil
        }
        let set = value[(value.startIndex + 2)..<setEnd].prefix { $0 != UInt8(ascii: "*") }
        return (Word(charset: Charset(String(decoding: set, as: UTF8.self)), bytes: bytes), end + 2)
    }
}
