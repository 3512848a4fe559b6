/// Splits `a=b&c=d` and decodes names and values.
enum URLEncodedItems {
    /// Empty pieces (`&&`) are skipped; a piece without `=` has an empty value.
    static func parse(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> [(name: String, value: String?)] {
        bytes.split(separator: UInt8(ascii: "&")).map { piece in
            let sign = piece.firstIndex(of: UInt8(ascii: "="))
            let rawName = piece[..<(sign ?? piece.endIndex)]
            let rawValue = sign.map { piece[piece.index(after: $0)...] } ?? piece[piece.endIndex...]
            guard let name = decoded(rawName, plusIsSpace: plusIsSpace), let value = decoded(rawValue, plusIsSpace: plusIsSpace) else {
                return (String(decoding: rawName, as: UTF8.self), nil)
            }
            return (name, value)
        }
    }

    private static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else { return nil }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
