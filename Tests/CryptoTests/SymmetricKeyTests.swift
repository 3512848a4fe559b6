import Testing

@testable import Crypto

@Suite struct SymmetricKeyTests {
    @Test func `a key is never printed`() {
        let key = SymmetricKey(Array("hunter2!".utf8))
        struct Holder { let key: SymmetricKey }
        var dumped = ""
        dump(Holder(key: key), to: &dumped)
        let texts = ["\(key)", String(reflecting: key), String(describing: key), dumped, "\(Holder(key: key))", "\(Optional(key) as Any)"]
        for text in texts {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("104"), "the first byte of the key")
            #expect(!text.contains("HMACState"))
        }
        #expect(Mirror(reflecting: key).children.isEmpty)
    }

    @Test func `the bytes can be borrowed`() {
        var source: [UInt8] = [1, 2, 3]
        let key = SymmetricKey(source)
        source[0] = 9
        #expect(key.withBytes { $0 } == [1, 2, 3])
    }

    @Test func `the caller's bytes are not wiped with the key`() {
        let source: [UInt8] = [1, 2, 3]
        var borrowed: [UInt8] = []
        do {
            let key = SymmetricKey(source)
            borrowed = key.withBytes { $0 }
        }
        #expect(source == [1, 2, 3])
        #expect(borrowed == [1, 2, 3])
    }
}
