import Testing

@testable import Crypto

@Suite struct RandomnessTests {
    @Test(arguments: [0, 1, 7, 32, 4096])
    func `as many bytes as asked for`(count: Int) {
        #expect(Randomness.system.bytes(count).count == count)
        #expect(Randomness.seeded(1).bytes(count).count == count)
    }

    @Test func `system bytes never come twice`() {
        let drawn = (0..<1000).map { _ in Randomness.system.bytes(16) }
        #expect(Set(drawn).count == 1000)
        // Each of 16,000 bytes is 0 with 1/256: about 62, and 200 would be a broken generator.
        #expect(drawn.joined().count { $0 == 0 } < 200)
    }

    /// SplitMix64's published first outputs for seed 1234567, little-endian.
    @Test func `seeded bytes are always the same`() {
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973].flatMap { (word: UInt64) in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        #expect(Randomness.seeded(1_234_567).bytes(16) == expected)
        let stream = Randomness.seeded(1_234_567)
        #expect(stream.bytes(3) + stream.bytes(13) == expected)
        #expect(Randomness.seeded(1_234_568).bytes(16) != expected)
    }

    @Test func `a source of one's own`() {
        #expect(Randomness { [UInt8](repeating: 7, count: $0) }.bytes(3) == [7, 7, 7])
    }

    @Test func `a source that returns too little stops the process`() async {
        await #expect(processExitsWith: .failure) { _ = Randomness { _ in [1] }.bytes(2) }
    }
}
