import Testing

@testable import Crypto

@Suite struct HKDFSHA256Tests {
    /// RFC 5869 appendix A.1 to A.3.
    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 22), Array(0x00...0x0C), Array(0xF0...0xF9), 42,
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                Array(0x00...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF), 82,
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                    + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
            ),
            (
                [UInt8](repeating: 0x0B, count: 22), [], [], 42,
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], Int, String)])
    func `RFC 5869`(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int, expected: String) {
        #expect(HKDFSHA256.derive(secret: secret, salt: salt, info: info, count: count) == hex(expected))
    }

    /// With an empty salt extraction is HMAC under 32 zero bytes, and the first block is HMAC(PRK, info ‖ 1): a second way to the same key.
    @Test func `a label is the info`() {
        let secret: [UInt8] = Array(0..<32)
        let extracted = HMACSHA256.tag(secret, key: SymmetricKey([UInt8](repeating: 0, count: 32)))
        let expected = HMACSHA256.tag(Array("codes".utf8), [1], key: SymmetricKey(extracted))
        #expect(HKDFSHA256.derive(secret: secret, label: "codes").withBytes { $0 } == expected)
        #expect(HKDFSHA256.derive(secret: secret, label: "codez").withBytes { $0 } != expected)
        #expect(HKDFSHA256.derive(secret: secret, label: "codes", count: 16).withBytes { $0 } == Array(expected.prefix(16)))
    }

    @Test(arguments: [1, 32, 33, 8160])
    func `every length in range`(count: Int) {
        #expect(HKDFSHA256.derive(secret: [1], label: "", count: count).withBytes { $0.count } == count)
    }

    @Test func `the longest label`() {
        let label = String(repeating: "x", count: 1024)
        #expect(HKDFSHA256.derive(secret: [1], label: label).withBytes { $0.count } == 32)
    }

    @Test func `an empty secret stops the process`() async {
        await #expect(processExitsWith: .failure) { _ = HKDFSHA256.derive(secret: [], label: "codes") }
    }
}
