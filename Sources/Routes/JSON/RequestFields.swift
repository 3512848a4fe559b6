/// The members of a JSON body, with the leniency of wire-contract.md §0.3: snake_case or camelCase names, numbers where a string is wanted,
/// null for absent; and its strictness: nothing else in a string's place.
struct RequestFields: Sendable {
    private let members: [String: JSONValue]

    /// Reads a body. Empty is `{}`.
    init(_ body: [UInt8]) throws(APIError) {
        guard !body.isEmpty else {
            self.init([:])
            return
        }
        guard let value = JSONValue.parse(body) else { throw .invalidJSON }
        guard case .object(let object) = value else { throw .schema(pointer: "", expected: "object") }
        self.init(object)
    }

    init(_ object: [String: JSONValue]) {
        guard object.contains(where: { $0.value == .null || $0.key.utf8.contains(UInt8(ascii: "_")) }) else {
            members = object
            return
        }
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(object.count)
        for (name, value) in object where value != .null && !name.utf8.contains(UInt8(ascii: "_")) {
            members[name] = value
        }
        // Of two spellings the one without `_` counts; of two others the first by alphabet. Anything else would change from run to run.
        for (name, value) in object.sorted(by: { $0.key < $1.key }) where value != .null && name.utf8.contains(UInt8(ascii: "_")) {
            let plain = Self.camelCase(name)
            if members[plain] == nil { members[plain] = value }
        }
        self.members = members
    }

    /// A string or a number, or nil when absent.
    func string(_ name: String) throws(APIError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text), .number(let text): return text
        default: throw .schema(pointer: "/\(name)", expected: "string")
        }
    }

    /// The same under the first of several names that is present.
    func string(_ name: String, _ others: String...) throws(APIError) -> String? {
        if let text = try string(name) { return text }
        for name in others {
            if let text = try string(name) { return text }
        }
        return nil
    }

    /// A whole number, which may come as a string, or nil when absent.
    func int64(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws(APIError) -> Int64? {
        guard let text = try string(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw .schema(pointer: "/\(name)", expected: "integer") }
        return number
    }

    /// The same for numbers of things.
    func int(_ name: String) throws(APIError) -> Int? { try int64(name).flatMap { Int(exactly: $0) } }

    /// A boolean, or nil when absent.
    func bool(_ name: String) throws(APIError) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .bool(let flag): return flag
        default: throw .schema(pointer: "/\(name)", expected: "boolean")
        }
    }

    /// Strings, or nil when absent. A single one stands for a list of one.
    func strings(_ name: String) throws(APIError) -> [String]? {
        switch members[name] {
        case nil: return nil
        case .string(let text), .number(let text): return [text]
        case .array(let items):
            var strings: [String] = []
            for (index, item) in items.enumerated() {
                switch item {
                case .string(let text), .number(let text): strings.append(text)
                default: throw .schema(pointer: "/\(name)/\(index)", expected: "string")
                }
            }
            return strings
        default: throw .schema(pointer: "/\(name)", expected: "array")
        }
    }

    /// Objects, or nil when absent.
    func objects(_ name: String) throws(APIError) -> [RequestFields]? {
        switch members[name] {
        case nil: return nil
        case .array(let items):
            var objects: [RequestFields] = []
            for (index, item) in items.enumerated() {
                guard case .object(let members) = item else { throw .schema(pointer: "/\(name)/\(index)", expected: "object") }
                objects.append(RequestFields(members))
            }
            return objects
        default: throw .schema(pointer: "/\(name)", expected: "array")
        }
    }

    /// An object, or nil when absent.
    func object(_ name: String) throws(APIError) -> RequestFields? {
        switch members[name] {
        case nil: return nil
        case .object(let members): return RequestFields(members)
        default: throw .schema(pointer: "/\(name)", expected: "object")
        }
    }

    /// Whether the body holds this member with a value other than null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// An enum value by its name or its number in Google's protocol; nil when absent.
    func value<Value>(_ name: String, of values: [(name: String, number: Int, value: Value)]) throws(APIError) -> Value? {
        guard let text = try string(name) else { return nil }
        guard let match = values.first(where: { $0.name == text || String($0.number) == text }) else {
            throw .schema(pointer: "/\(name)", expected: "equal to one of the allowed values")
        }
        return match.value
    }

    private static func camelCase(_ name: String) -> String {
        var result = ""
        var raise = false
        for character in name {
            if character == "_" {
                raise = true
            } else {
                result += raise ? character.uppercased() : String(character)
                raise = false
            }
        }
        return result
    }
}
