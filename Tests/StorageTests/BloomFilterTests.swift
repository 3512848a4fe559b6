import Testing

@testable import SQLiteStorage

@Suite struct BloomFilterTests {
    /// SplitMix64: hashes that look random and are the same in every run.
    private func hash(_ number: UInt64) -> Int64 {
        var value = number &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int64(bitPattern: value ^ value >> 31)
    }

    @Test func whatIsInIsFoundAndLittleElse() {
        var filter = BloomFilter(capacity: 4096)
        for number in UInt64(1)...4096 { filter.insert(.init(hash(number))) }
        #expect((UInt64(1)...4096).allSatisfy { filter.mayContain(.init(hash($0))) })
        let wrong = (UInt64(10_000)..<20_000).count { filter.mayContain(.init(hash($0))) }
        #expect(wrong < 100)
    }

    @Test func itComesBackFromItsBytes() {
        var filter = BloomFilter(capacity: 100)
        filter.insert(.init(hash(1)))
        #expect(BloomFilter(bytes: filter.bytes) == filter)
        #expect(BloomFilter(bytes: filter.bytes).mayContain(.init(hash(1))))
        // A filter that was lost says yes, which costs time and nothing else.
        #expect(BloomFilter(bytes: []).mayContain(.init(hash(7))))
    }
}
