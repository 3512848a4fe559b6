internal import Platform

/// Takes a JSON object apart into its members, strictly (RFC 8259), values as their own text without white space.
struct JSONMembers {
    private var lexer: JSONLexer
    private static let depthLimit = 32

    /// `input` is UTF-8, as every Swift string is.
    init(_ input: [UInt8]) {
        lexer = JSONLexer(input)
    }

    /// The members of the one object that the text must be; `nil` when it is anything else.
    mutating func document() -> [(name: String, value: [UInt8])]? {
        lexer.skipSpace()
        guard lexer.take("{") else { return nil }
        var members: [(name: String, value: [UInt8])] = []
        lexer.skipSpace()
        if !lexer.take("}") {
            repeat {
                lexer.skipSpace()
                guard let name = lexer.string() else { return nil }
                lexer.skipSpace()
                guard lexer.take(":") else { return nil }
                var value: [UInt8] = []
                guard copyValue(into: &value, depth: 1) else { return nil }
                members.append((name, value))
                lexer.skipSpace()
            } while lexer.take(",")
            guard lexer.take("}") else { return nil }
        }
        lexer.skipSpace()
        return lexer.isAtEnd ? members : nil
    }

    // MARK: Values

    private mutating func copyValue(into output: inout [UInt8], depth: Int) -> Bool {
        guard depth <= Self.depthLimit else { return false }
        lexer.skipSpace()
        switch lexer.peek {
        case UInt8(ascii: "{"): return copyContainer("{", "}", named: true, into: &output, depth: depth)
        case UInt8(ascii: "["): return copyContainer("[", "]", named: false, into: &output, depth: depth)
        case UInt8(ascii: "\""): return copy(into: &output) { $0.string() != nil }
        case UInt8(ascii: "t"): return copy(into: &output) { $0.take(word: "true") }
        case UInt8(ascii: "f"): return copy(into: &output) { $0.take(word: "false") }
        case UInt8(ascii: "n"): return copy(into: &output) { $0.take(word: "null") }
        default: return copy(into: &output) { $0.number() != nil }
        }
    }

    private mutating func copyContainer(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, named: Bool, into output: inout [UInt8], depth: Int
    ) -> Bool {
        guard lexer.take(opening) else { return false }
        output.append(UInt8(ascii: opening))
        lexer.skipSpace()
        if !lexer.take(closing) {
            var isFirst = true
            repeat {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                if named {
                    lexer.skipSpace()
                    guard copy(into: &output, { $0.string() != nil }) else { return false }
                    lexer.skipSpace()
                    guard lexer.take(":") else { return false }
                    output.append(UInt8(ascii: ":"))
                }
                guard copyValue(into: &output, depth: depth + 1) else { return false }
                lexer.skipSpace()
            } while lexer.take(",")
            guard lexer.take(closing) else { return false }
        }
        output.append(UInt8(ascii: closing))
        return true
    }

    private mutating func copy(into output: inout [UInt8], _ scan: (inout JSONLexer) -> Bool) -> Bool {
        let start = lexer.position
        guard scan(&lexer) else { return false }
        output.append(contentsOf: lexer.text(since: start))
        return true
    }
}
