/// A set that may say "yes" wrongly and never says "no" wrongly, in 12 bits an element (Bloom, 1970).
struct BloomFilter: Equatable {
    private var words: [UInt64]

    /// An element, ready to be looked for in many filters. Its value is a good hash already.
    struct Probe {
        fileprivate let first: UInt64
        fileprivate let step: UInt64

        init(_ hash: Int64) {
            first = UInt64(bitPattern: hash)
            // The second hash that double hashing needs (Kirsch and Mitzenmacher, 2006), odd so that it reaches every place.
            step = (first &* 0x9E37_79B9_7F4A_7C15) | 1
        }
    }

    /// Makes an empty filter for `capacity` elements.
    init(capacity: Int) {
        words = Array(repeating: 0, count: max(1, capacity * 12 / 64))
    }

    /// Takes a filter as `bytes` gave it.
    init(bytes: [UInt8]) {
        words = stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        if words.isEmpty { words = [.max] }
    }

    /// The filter, to be stored.
    var bytes: [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }

    /// Adds an element.
    mutating func insert(_ probe: Probe) {
        for index in 0..<8 as Range<UInt64> {
            let place = place(probe, index)
            words[Int(place >> 6)] |= 1 << (place & 63)
        }
    }

    /// Whether the element may have been added.
    func mayContain(_ probe: Probe) -> Bool {
        for index in 0..<8 as Range<UInt64> {
            let place = place(probe, index)
            if words[Int(place >> 6)] & 1 << (place & 63) == 0 { return false }
        }
        return true
    }

    private func place(_ probe: Probe, _ index: UInt64) -> UInt64 {
        // The high half of the product spreads the hash over the places without a division.
        (probe.first &+ index &* probe.step).multipliedFullWidth(by: UInt64(words.count) * 64).high
    }
}
