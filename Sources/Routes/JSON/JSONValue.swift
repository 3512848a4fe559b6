/// A JSON value as a client sent it.
enum JSONValue: Sendable, Equatable {
    case string(String)
    /// As text, since a number may stand where the contract wants a string: whole ones without fraction or exponent.
    case number(String)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a whole document; nil when it is not JSON (RFC 8259).
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        JSONReader.document(bytes)
    }
}
