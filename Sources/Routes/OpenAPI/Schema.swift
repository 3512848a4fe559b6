/// JSON Schema (2020-12) as far as the description of the API needs it.
enum Schema {
    static let string = type("string")
    static let boolean = type("boolean")
    static let integer = type("integer")
    static let strings = list(of: string)

    /// A 64-bit number, which the wire writes as a string.
    static let int64 = JSON.object([("type", .string("string")), ("pattern", .string("^-?[0-9]+$"))])

    /// One string and no other.
    static func constant(_ text: String) -> JSON { .object([("type", .string("string")), ("const", .string(text))]) }

    /// One of these strings.
    static func choice(_ texts: [String]) -> JSON { .object([("type", .string("string")), ("enum", .strings(texts))]) }

    /// A list of equal things.
    static func list(of items: JSON) -> JSON { .object([("type", .string("array")), ("items", items)]) }

    /// An object whose members have any names.
    static func map(of values: JSON) -> JSON { .object([("type", .string("object")), ("additionalProperties", values)]) }

    /// An object; a name that ends in `?` is optional.
    static func object(_ members: [(String, JSON)]) -> JSON {
        let required = members.map(\.0).filter { !$0.hasSuffix("?") }
        return .object([
            ("type", .string("object")),
            ("properties", .object(members.map { ($0.0.hasSuffix("?") ? String($0.0.dropLast()) : $0.0, $0.1) })),
            ("required", required.isEmpty ? nil : .strings(required)),
        ])
    }

    /// A schema of the document's components.
    static func reference(_ name: String) -> JSON { .object([("$ref", .string("#/components/schemas/" + name))]) }

    private static func type(_ name: String) -> JSON { .object([("type", .string(name))]) }
}
