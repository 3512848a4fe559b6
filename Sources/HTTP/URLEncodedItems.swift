internal import Platform

/// Splits `a=b&c=d` and decodes names and values.
enum URLEncodedItems {
    /// Empty pieces (`&&`) are skipped; a piece without `=` has an empty value.
    static func parse(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> [(name: String, value: String?)] {
        // One kind of storage: what follows is compiled for it, and every call has a query.
        let bytes = Array(bytes)
        return bytes.split(separator: UInt8(ascii: "&")).map { piece in
            let sign = piece.firstIndex(of: UInt8(ascii: "="))
            let rawName = piece[..<(sign ?? piece.endIndex)]
            let rawValue = sign.map { piece[($0 + 1)...] } ?? []
            guard let name = PercentEncoding.decode(rawName, plusIsSpace: plusIsSpace),
                let value = PercentEncoding.decode(rawValue, plusIsSpace: plusIsSpace)
            else {
                return (String(decoding: rawName, as: UTF8.self), nil)
            }
            return (name, value)
        }
    }
}
