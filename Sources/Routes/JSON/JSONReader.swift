internal import Platform

/// Reads a JSON document into values; nothing may stand behind the one value. Of members with one name the last counts.
///
/// Every call has a body, and `JSONDecoder` took a quarter of what accepting a mail costs.
struct JSONReader {
    private var lexer: JSONLexer

    /// Deeper than any request, and far from what would fill a thread's stack.
    static let depthLimit = 64

    /// The one value that the text must be; nil when it is anything else.
    static func document(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(lexer: JSONLexer(bytes))
        reader.lexer.skipByteOrderMark()
        reader.lexer.skipSpace()
        guard let value = reader.value(depth: 0) else { return nil }
        reader.lexer.skipSpace()
        return reader.lexer.isAtEnd ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < Self.depthLimit else { return nil }
        switch lexer.peek {
        case UInt8(ascii: "\""): return lexer.string().map { .string($0) }
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "t"): return lexer.take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return lexer.take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return lexer.take(word: "null") ? .null : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard lexer.take("{") else { return nil }
        var members: [String: JSONValue] = [:]
        lexer.skipSpace()
        if lexer.take("}") { return .object(members) }
        // A request has about that many, and growing costs as much as filling.
        if depth == 0 { members.reserveCapacity(8) }
        repeat {
            lexer.skipSpace()
            guard let name = lexer.string() else { return nil }
            lexer.skipSpace()
            guard lexer.take(":") else { return nil }
            lexer.skipSpace()
            guard let value = value(depth: depth + 1) else { return nil }
            members[name] = value
            lexer.skipSpace()
        } while lexer.take(",")
        return lexer.take("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        guard lexer.take("[") else { return nil }
        var items: [JSONValue] = []
        lexer.skipSpace()
        if lexer.take("]") { return .array(items) }
        repeat {
            lexer.skipSpace()
            guard let item = value(depth: depth + 1) else { return nil }
            items.append(item)
            lexer.skipSpace()
        } while lexer.take(",")
        return lexer.take("]") ? .array(items) : nil
    }

    /// As a whole number where it is one, however it is written; nil also for one that no Double can hold.
    private mutating func number() -> String? {
        guard let text = lexer.number() else { return nil }
        if let whole = Int64(text) { return String(whole) }
        guard let number = Double(text), number.isFinite else { return nil }
        return Int64(exactly: number).map { String($0) } ?? String(number)
    }
}
