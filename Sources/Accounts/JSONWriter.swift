internal import Platform

/// Writes JSON straight into bytes: members in the order they are given, no white space.
///
/// A token is made for every completed sign-in, and `JSONEncoder` costs several times as much and promises no order.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        nest("{", "}", members)
    }

    mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        nest("{", "}", members)
    }

    mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
        key(name)
        nest("[", "]", elements)
    }

    mutating func array(_ name: String, _ elements: [String]) {
        array(name) { json in
            for element in elements { json.element(element) }
        }
    }

    mutating func element(_ value: String) {
        separate()
        JSONText.append(value, to: &bytes)
    }

    mutating func elementObject(_ members: (inout JSONWriter) -> Void) {
        separate()
        nest("{", "}", members)
    }

    mutating func member(_ name: String, _ value: String) {
        key(name)
        JSONText.append(value, to: &bytes)
    }

    mutating func member(_ name: String, _ value: Int64) {
        key(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Adds a value that is JSON already.
    mutating func member(_ name: String, json value: [UInt8]) {
        key(name)
        bytes.append(contentsOf: value)
    }

    private mutating func nest(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ contents: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: opening))
        contents(&self)
        bytes.append(UInt8(ascii: closing))
    }

    /// Whole values never end in an opening bracket, so the last byte tells whether this is the first of its siblings.
    private mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    private mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
