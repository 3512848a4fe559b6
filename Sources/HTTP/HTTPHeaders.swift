/// Header fields in order (RFC 9110 section 5). Names compare without regard to ASCII case.
///
/// A response cannot be split: CR, LF and NUL are taken out of every value, and a field whose name is not a token is not kept at all.
public struct HTTPHeaders: Sendable {
    private struct Field: Equatable {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    /// Makes headers of pairs; each goes through `add`.
    public init(_ pairs: [(String, String)] = []) {
        fields.reserveCapacity(pairs.count)
        for (name, value) in pairs { add(name, value) }
    }

    /// The first value of a field; nil when there is none.
    public subscript(name: String) -> String? {
        fields.first { Self.same($0.name, name) }?.value
    }

    /// All values of a field, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Adds a field after the others, even if there is one of that name.
    public mutating func add(_ name: String, _ value: String) {
        guard Self.isToken(name) else { return }
        fields.append(Field(name: name, value: Self.withoutBreaks(value)))
    }

    /// Replaces all fields of that name by one, at the end.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Takes out all fields of that name.
    public mutating func remove(_ name: String) {
        fields.removeAll { Self.same($0.name, name) }
    }

    /// Name and value of every field, in order, names as they were given.
    public var pairs: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }

    /// How many fields there are.
    public var count: Int { fields.count }

    /// For a request's fields, whose names the server has checked and whose values cannot hold a line break any more.
    mutating func addParsed(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    func forEach(_ body: (String, String) -> Void) {
        for field in fields { body(field.name, field.value) }
    }

    /// Cheap when both share their storage, which is the case for a response kept in memory.
    func isIdentical(to other: HTTPHeaders) -> Bool {
        let same = unsafe fields.withUnsafeBufferPointer { mine in
            unsafe other.fields.withUnsafeBufferPointer { unsafe mine.baseAddress == $0.baseAddress && mine.count == $0.count }
        }
        return same || fields == other.fields
    }

    static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    /// RFC 9110 section 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// By bytes, not characters: Swift sees CR LF as one character, and a combining mark could hide a line feed.
    private static func withoutBreaks(_ value: String) -> String {
        func breaks(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
        guard value.utf8.contains(where: breaks) else { return value }
        return String(decoding: value.utf8.filter { !breaks($0) }, as: UTF8.self)
    }

    static func same(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        var other = right.makeIterator()
        for byte in left {
            guard let next = other.next(), byte == next || lowered(byte) == lowered(next) else { return false }
        }
        return true
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
