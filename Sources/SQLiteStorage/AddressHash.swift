internal import Mail

/// SipHash-2-4 (Aumasson and Bernstein, 2012) of project and address: what the index of live codes holds instead of long texts.
///
/// Keyed with bytes that only the database knows, so that nobody can send for addresses that all fall on the same value and make the
/// store walk through them. Two addresses may share a value, so the texts are compared as well.
struct AddressHash: Sendable {
    private let key0: UInt64
    private let key1: UInt64

    /// Takes 16 bytes; nil for any other number.
    init?(key: [UInt8]) {
        guard key.count == 16 else { return nil }
        key0 = Self.word(key[0..<8])
        key1 = Self.word(key[8..<16])
    }

    /// The value for an address in a project.
    func value(project: String, email: EmailAddress) -> Int64 {
        // 0 ends the project, so that no two pairs make the same bytes.
        Int64(bitPattern: digest(Array(project.utf8) + [0] + Array(email.text.utf8)))
    }

    func digest(_ bytes: [UInt8]) -> UInt64 {
        var v0 = key0 ^ 0x736f_6d65_7073_6575
        var v1 = key1 ^ 0x646f_7261_6e64_6f6d
        var v2 = key0 ^ 0x6c79_6765_6e65_7261
        var v3 = key1 ^ 0x7465_6462_7974_6573

        func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value &<< count | value &>> (64 - count) }
        func round() {
            v0 &+= v1
            v1 = rotate(v1, 13) ^ v0
            v0 = rotate(v0, 32)
            v2 &+= v3
            v3 = rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotate(v1, 17) ^ v2
            v2 = rotate(v2, 32)
        }
        func take(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        let whole = bytes.count & ~7
        for start in stride(from: 0, to: whole, by: 8) { take(Self.word(bytes[start..<start + 8])) }
        take(Self.word(bytes[whole...]) | UInt64(truncatingIfNeeded: bytes.count) << 56)
        v2 ^= 0xFF
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    /// Up to 8 bytes, the first one lowest.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
