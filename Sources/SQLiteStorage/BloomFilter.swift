/// A set that may say "yes" wrongly and never says "no" wrongly, in 16 bits an element.
///
/// A Bloom filter (Bloom, 1970) whose bits for one element all lie in one word (Putze, Sanders and Singler, 2007): an insert asks hundreds
/// of filters, and each answer costs one access to memory.
struct BloomFilter: Equatable {
    private var words: [UInt64]

    /// An element, ready to be looked for in many filters. Its value is a good hash already.
    struct Probe {
        fileprivate let hash: UInt64
        fileprivate let mask: UInt64

        init(_ hash: Int64) {
            self.hash = UInt64(bitPattern: hash)
            // The word is chosen by the hash's high bits; five bits in it by what a multiplication makes of all of them.
            var bits = (self.hash &* 0x9E37_79B9_7F4A_7C15) >> 34
            var mask: UInt64 = 0
            for _ in 0..<5 {
                mask |= 1 << (bits & 63)
                bits >>= 6
            }
            self.mask = mask
        }
    }

    /// Makes an empty filter for `capacity` elements.
    init(capacity: Int) {
        words = Array(repeating: 0, count: max(1, capacity / 4))
    }

    /// Takes a filter as `bytes` gave it.
    init(bytes: [UInt8]) {
        words = stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        // A filter that was lost says yes to everything.
        if words.isEmpty { words = [.max] }
    }

    /// The filter, to be stored.
    var bytes: [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }

    /// Adds an element.
    mutating func insert(_ probe: Probe) {
        words[place(probe)] |= probe.mask
    }

    /// Whether the element may have been added.
    func mayContain(_ probe: Probe) -> Bool {
        words[place(probe)] & probe.mask == probe.mask
    }

    private func place(_ probe: Probe) -> Int {
        // The high half of the product spreads the hash over the words without a division.
        Int(probe.hash.multipliedFullWidth(by: UInt64(words.count)).high)
    }
}
