import Testing

@testable import Crypto

@Suite struct HMACSHA256Tests {
    /// RFC 4231 §4; case 5 tests truncation, which is not offered.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (Array(1...25), [UInt8](repeating: 0xCD, count: 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        (
            [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `RFC 4231`(key: [UInt8], message: [UInt8], tag: String) {
        #expect(HMACSHA256.tag(message, key: SymmetricKey(key)) == hex(tag))
    }

    @Test func `parts are one message`() {
        let key = SymmetricKey([1, 2, 3])
        let whole = HMACSHA256.tag([1, 2, 3, 4], key: key)
        #expect(HMACSHA256.tag([1], [], [2, 3, 4], key: key) == whole)
        #expect(HMACSHA256.tag([1, 2, 3], key: key) != whole)
        #expect(HMACSHA256.tag([1, 2, 3, 4], key: SymmetricKey([1, 2, 4])) != whole)
    }

    @Test func `no message`() {
        let tag = hex("2f8738164025afdddbc18665c6e8f37de9498db7fd194873c61ee30c22192a9a")
        #expect(HMACSHA256.tag(key: SymmetricKey([1])) == HMACSHA256.tag([], key: SymmetricKey([1])))
        #expect(HMACSHA256.tag(key: SymmetricKey([1])) == tag)
    }

    @Test func `one key on many threads`() async {
        let key = SymmetricKey(Array(0..<32))
        let expected = (0..<64).map { HMACSHA256.tag([UInt8($0)], key: key) }
        await withTaskGroup(of: Bool.self) { group in
            for round in 0..<64 {
                group.addTask {
                    (0..<100).allSatisfy { _ in HMACSHA256.tag([UInt8(round)], key: key) == expected[round] }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `an empty key stops the process`() async {
        await #expect(processExitsWith: .failure) { _ = SymmetricKey([]) }
    }
}
