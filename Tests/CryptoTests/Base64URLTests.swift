import Testing

@testable import Crypto

@Suite struct Base64URLTests {
    /// RFC 4648 §10 without its padding, and the two characters that differ from the standard alphabet.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ("??>", "Pz8-"), ("???", "Pz8_"),
    ])
    func `RFC 4648`(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(bytes.utf8))
    }

    @Test(arguments: [
        "Zg==", "Zm8=", "=", "Z", "A", "AAAAA", "Zm9vY", " Zg", "Zg ", "Zm\n9v", "Zm9v\n", "Zm+v", "Zm/v", "Zm.v", "Zm9é", "Zm9v\0",
        "Zm9v%3D",
    ])
    func `other spellings are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    /// One byte has 16 possible last characters, of which 1 is right; two bytes have 4.
    @Test func `a byte string has one spelling`() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(alphabet.count { Base64URL.decode("Z\($0)") != nil } == 4)
        #expect(alphabet.count { Base64URL.decode("Zm\($0)") != nil } == 16)
        for last in alphabet {
            for text in ["Z\(last)", "Zm\(last)", "Zm9\(last)"] {
                if let bytes = Base64URL.decode(text) { #expect(Base64URL.encode(bytes) == text) }
            }
        }
    }

    @Test func `every byte and every length`() {
        let source = Randomness.seeded(4648)
        for count in 0..<100 {
            let bytes = source.bytes(count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, alphabet: .standard), alphabet: .standard) == bytes)
        }
        #expect(Base64URL.decode(Base64URL.encode(Array(0...255))) == Array(0...255))
    }

    @Test func `alphabets are not mixed`() {
        #expect(Base64.encode([0xFB, 0xFF], alphabet: .standard) == "+/8")
        #expect(Base64.decode("-_8", alphabet: .standard) == nil)
        #expect(Base64URL.decode("x-_8y".dropFirst().dropLast()) == [0xFB, 0xFF])
    }
}
