/// What a part says that it is (RFC 2045 §5.1): type, subtype and parameters, all names in lower case.
struct ContentType {
    /// Such as `text/plain`, the default.
    let name: String
    private let parameters: [(name: String, value: String)]

    /// Reads a field's value; what cannot be read is left out.
    init(_ value: ArraySlice<UInt8>?) {
        var pieces = Self.split(value ?? []).makeIterator()
        let name = pieces.next().map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        self.name = name.contains("/") ? name : "text/plain"
        var parameters: [(name: String, value: String)] = []
        while let piece = pieces.next() {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: piece[..<equals].trimmingBlanks(), as: UTF8.self).lowercased()
            parameters.append((key, Self.unquoted(piece[(equals + 1)...].trimmingBlanks())))
        }
        self.parameters = parameters
    }

    /// The first parameter of a name.
    subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// The pieces between semicolons, but for those inside of quotation marks.
    private static func split(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = value.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in value.indices {
            switch value[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted:
                pieces.append(value[start..<index].trimmingBlanks())
                start = index + 1
            default: break
            }
        }
        pieces.append(value[start...].trimmingBlanks())
        return pieces
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> String {
        guard value.first == UInt8(ascii: "\"") else { return String(decoding: value, as: UTF8.self) }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in value.dropFirst() {
            if isEscaped {
                result.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
