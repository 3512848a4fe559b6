internal import FoundationEssentials

/// A JSON value as a client sent it.
enum JSONValue: Sendable, Equatable {
    case string(String)
    /// As text, since a number may stand where the contract wants a string.
    case number(String)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Strings first: nearly every value that a client sends is one.
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if container.decodeNil() {
            self = .null
        } else if let whole = try? container.decode(Int64.self) {
            self = .number(String(whole))
        } else if let number = try? container.decode(Double.self) {
            self = .number(String(number))
        } else if let items = try? container.decode([JSONValue].self) {
            self = .array(items)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Reads a whole document; nil when it is not JSON (RFC 8259).
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        // Most bodies are objects: one attempt less than asking for any value.
        let data = Data(bytes)
        if let object = try? JSONDecoder().decode([String: JSONValue].self, from: data) { return .object(object) }
        return try? JSONDecoder().decode(JSONValue.self, from: data)
    }
}
