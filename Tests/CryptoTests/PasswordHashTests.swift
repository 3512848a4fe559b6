import Testing

@testable import Crypto

@Suite struct PasswordHashTests {
    /// RFC 7914 §12; the fourth vector needs 1 GiB, which `Cost` refuses.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `RFC 7914`(password: String, salt: String, logN: Int, r: Int, p: Int, expected: String) throws {
        let cost = try #require(PasswordHash.Cost(logN: logN, r: r, p: p))
        let hash = try PasswordHash.scrypt(Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(hash == hex(expected))
    }

    /// The default is past OpenSSL's own memory limit.
    @Test func `the default cost works`() throws {
        let hash = try PasswordHash.make("correct horse", randomness: .system)
        #expect(hash.encoded.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try hash.matches("correct horse"))
        #expect(try !hash.matches("correct horsf"))
    }

    @Test(arguments: ["", "a", "pass\0word", "пароль", "🗝️", String(repeating: "x", count: 4096)])
    func `a password matches itself only`(password: String) throws {
        let hash = try PasswordHash.make(password, randomness: .seeded(1), cost: .minimal)
        #expect(try hash.matches(password))
        #expect(try !hash.matches(password + " "))
        #expect(try !hash.matches("pass"))
        let stored = try #require(PasswordHash(encoded: hash.encoded))
        #expect(stored == hash)
        #expect(try stored.matches(password))
    }

    @Test func `salts differ`() throws {
        let source = Randomness.seeded(2)
        let (a, b) = try (
            PasswordHash.make("x", randomness: source, cost: .minimal), PasswordHash.make("x", randomness: source, cost: .minimal)
        )
        #expect(a != b)
        #expect(a.encoded != b.encoded)
    }

    /// The third vector of RFC 7914, its first 32 bytes, in the form that passlib writes.
    @Test func `other libraries' hashes are read`() throws {
        let text = "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI"
        let hash = try #require(PasswordHash(encoded: text))
        #expect(try hash.matches("pleaseletmein"))
        #expect(try !hash.matches("pleaseletmeout"))
        #expect(hash.encoded == text)
    }

    @Test(arguments: [
        "", "$", "$scrypt$", "x$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$argon2$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA$",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA==",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAB",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAA-_",
        "$scrypt$ln=01,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=+1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$r=1,ln=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1,p=1,q=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=0,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=-1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=20,r=8,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=63,r=8,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=16,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=0,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1,p=17$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=9223372036854775808,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1,p=1$$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$",
        "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAA",
    ])
    func `other texts are refused`(text: String) {
        #expect(PasswordHash(encoded: text) == nil)
    }

    @Test func `the table above fails for its own reasons`() throws {
        let text = "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
        #expect(try #require(PasswordHash(encoded: text)).encoded == text)
    }

    @Test func `the largest cost works`() throws {
        let cost = try #require(PasswordHash.Cost(logN: 18, r: 8, p: 1))
        #expect(cost.memory < 257 << 20)
        #expect(PasswordHash.Cost(logN: 19, r: 8, p: 1) == nil)
    }

    /// RFC 7914 §2 wants N under 2^(16·r), and OpenSSL refuses it too.
    @Test func `a cost that OpenSSL refuses is an error`() {
        let cost = PasswordHash.Cost(unchecked: 16, r: 1, p: 1)
        do {
            _ = try PasswordHash.scrypt([], salt: [], cost: cost, count: 32)
            Issue.record("the cost was accepted")
        } catch {
            #expect(error.code == "password-hashing-failed")
            #expect(error.cause?.isEmpty == false)
        }
        #expect(OpenSSLErrors.isEmpty)
    }

    @Test func `the decoy costs as much as a real hash and matches nothing`() throws {
        #expect(PasswordHash.decoy().encoded.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try !PasswordHash.decoy().matches(""))
        #expect(PasswordHash(encoded: PasswordHash.decoy().encoded) == PasswordHash.decoy())
        let real = try PasswordHash.make("x", randomness: .seeded(3))
        #expect(real.encoded.utf8.count == PasswordHash.decoy().encoded.utf8.count)
    }

    @Test func `a hash is never printed`() throws {
        let hash = try PasswordHash.make("x", randomness: .seeded(4), cost: .minimal)
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("salt"))
        }
    }
}
