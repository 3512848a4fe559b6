import Testing

@testable import Crypto

@Suite struct SigningKeyTests {
    static let rsa = Result { try SigningKey(pem: TestKeys.rsaPKCS8) }
    static let p256 = Result { try SigningKey(pem: TestKeys.p256PKCS8) }
    static let ed25519 = Result { try SigningKey(pem: TestKeys.ed25519) }

    static func key(_ algorithm: SigningKey.Algorithm) throws -> SigningKey {
        switch algorithm {
        case .rs256: try rsa.get()
        case .es256: try p256.get()
        case .edDSA: try ed25519.get()
        }
    }

    // MARK: Loading

    /// The key ids were computed by another program from the keys' modulus and point.
    @Test(arguments: [
        (TestKeys.rsaPKCS8, SigningKey.Algorithm.rs256, "8Pnq0rB3V2ikRDM9_Dbtze4_9iFb3cqAU3lPllZoJJc"),
        (TestKeys.rsaTraditional, .rs256, "8Pnq0rB3V2ikRDM9_Dbtze4_9iFb3cqAU3lPllZoJJc"),
        (TestKeys.p256PKCS8, .es256, "jhed0heAWDCbbAdYC-YRmet_JLA3Yd5vn1aedXYnDlo"),
        (TestKeys.p256Traditional, .es256, "jhed0heAWDCbbAdYC-YRmet_JLA3Yd5vn1aedXYnDlo"),
        ("A comment before the key.\r\n" + TestKeys.p256PKCS8 + "\nand after", .es256, "jhed0heAWDCbbAdYC-YRmet_JLA3Yd5vn1aedXYnDlo"),
        (TestKeys.certificate + "\n" + TestKeys.p256PKCS8, .es256, "jhed0heAWDCbbAdYC-YRmet_JLA3Yd5vn1aedXYnDlo"),
    ])
    func `PEM forms`(pem: String, algorithm: SigningKey.Algorithm, keyID: String) throws {
        let key = try SigningKey(pem: pem)
        #expect(key.algorithm == algorithm)
        #expect(key.keyID == keyID)
        #expect(key.publicKey.keyID == keyID)
        #expect(OpenSSLErrors.isEmpty)
    }

    /// Encrypted keys would ask on the terminal, and the test would hang.
    @Test(arguments: [
        (TestKeys.p256Encrypted, "encrypted-key"),
        (TestKeys.p256EncryptedTraditional, "encrypted-key"),
        (TestKeys.p256EncryptedEmpty, "encrypted-key"),
        (TestKeys.p256Public, "not-a-private-key"),
        (TestKeys.rsaPublicTraditional, "not-a-private-key"),
        (TestKeys.certificate, "not-a-private-key"),
        (TestKeys.rsa1024, "weak-key"),
        (TestKeys.rsaPSS, "unsupported-key-type"),
        (TestKeys.x25519, "unsupported-key-type"),
        (TestKeys.p384, "unsupported-curve"),
        (TestKeys.secp256k1, "unsupported-curve"),
        (TestKeys.p256Inconsistent, "inconsistent-key"),
        (TestKeys.parameters, "malformed-key"),
        ("", "malformed-key"),
        ("not a key", "malformed-key"),
        (String(TestKeys.rsaPKCS8.dropLast(200)), "malformed-key"),
        (TestKeys.p256PKCS8.replacing("MI", with: "MJ"), "malformed-key"),
        ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "malformed-key"),
        (String(repeating: "\0", count: 100), "malformed-key"),
    ])
    func `PEM texts that are refused`(pem: String, code: String) {
        do {
            let key = try SigningKey(pem: pem)
            Issue.record("accepted: \(key)")
        } catch {
            #expect(error.code == code)
            #expect(!error.description.isEmpty)
        }
        #expect(OpenSSLErrors.isEmpty, "an error was left for the next call")
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a key of a kind that is not wanted is refused`(algorithm: SigningKey.Algorithm) throws {
        let others = SigningKey.Algorithm.allCases.filter { $0 != algorithm }
        let pem = try Self.key(algorithm).pem
        #expect(throws: CryptoError.wrongKind(algorithm, accepted: others)) { try SigningKey(pem: pem, accepting: others) }
        #expect(try SigningKey(pem: pem, accepting: [algorithm]).algorithm == algorithm)
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a generated key survives its PEM form`(algorithm: SigningKey.Algorithm) throws {
        let key = try SigningKey.generate(algorithm)
        #expect(key.algorithm == algorithm)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(key.pem.hasSuffix("-----END PRIVATE KEY-----\n"))
        let copy = try SigningKey(pem: key.pem)
        #expect(copy.keyID == key.keyID)
        #expect(copy.pem == key.pem)
        #expect(try key.publicKey.isValid(copy.signature(over: [1]), over: [1]))
        #expect(try SigningKey.generate(algorithm).keyID != key.keyID)
        #expect(OpenSSLErrors.isEmpty)
    }

    @Test func `PKCS#8 is written as openssl writes it`() throws {
        #expect(try SigningKey(pem: TestKeys.rsaTraditional).pem == TestKeys.rsaPKCS8)
        #expect(try SigningKey(pem: TestKeys.p256Traditional).pem == TestKeys.p256PKCS8)
    }

    // MARK: Signing

    /// RFC 8032 §7.1, TEST 3.
    @Test func `the example EdDSA signature`() throws {
        let seed = hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
        let der = hex("302e020100300506032b657004220420") + seed
        let key = try SigningKey(
            pem: "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der, alphabet: .standard))\n-----END PRIVATE KEY-----\n")
        #expect(key.publicKey.recordBytes == hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"))
        #expect(
            try key.signature(over: [0xAF, 0x82])
                == hex(
                    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
                ))
    }

    /// RFC 8037 A.3.
    @Test func `the example Ed25519 thumbprint`() {
        let parameters = [("kty", "OKP"), ("crv", "Ed25519"), ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")]
        #expect(VerifyingKey.thumbprint(of: parameters.map { (name: $0.0, value: $0.1) }) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test func `DKIM records hold the whole RSA key`() throws {
        let key = try Self.key(.rs256).publicKey
        #expect(key.recordBytes.count == 294)
        #expect(try VerifyingKey(subjectPublicKeyInfo: key.recordBytes).keyID == key.keyID)
    }

    /// `printf header.payload | openssl dgst -sha256 -sign`
    @Test func `an RS256 signature is the one that openssl makes`() throws {
        let signature = try Self.key(.rs256).signature(over: Array("header.payload".utf8))
        #expect(
            Base64.encode(signature, alphabet: .standard)
                == "78BBnJkbV2X6TM0ZUB+/M1Dnqy3flQJ5t/sMnFiUJan0S4MGOsc4TBTvWiTE9gou5mVes6/9V7UaK0619N8JWia5JUSNoJh+rVRBS07q3OppxUA6oPEfXQ2D"
                + "pH2XfIUocP+lk3XLiNvNbn7/GfOAQ1Iks58oO/MKfWVWjGjuVQVwG1zE9KfwJKds4kj/DttW7j+1q93d2SM/kR9EIz2LSggh3lP08n8TNawdJ+AyqIPcbSqo"
                + "7V+8J1k3+ierrDW6t3/3+rOjhy/b4Uu4bkeccMVxfRh3VpnKcRTmZsvTcCXAz7V+8T/cew5UuTW+8SPu3mG3rZlyhO7m8a6NbyrXFg")
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a signature fits its message and nothing else`(algorithm: SigningKey.Algorithm) throws {
        let key = try Self.key(algorithm)
        let message = Array("header.payload".utf8)
        let signature = try key.signature(over: message)
        #expect(signature.count == (algorithm == .rs256 ? 256 : 64))
        #expect(key.publicKey.isValid(signature, over: message))
        #expect(!key.publicKey.isValid(signature, over: message + [0]))
        #expect(!key.publicKey.isValid(signature, over: []))
        #expect(try !SigningKey.generate(algorithm).publicKey.isValid(signature, over: message))
        for position in signature.indices {
            var altered = signature
            altered[position] ^= 1
            #expect(!key.publicKey.isValid(altered, over: message))
        }
        let half = signature.count / 2
        let others = [
            [], Array(signature.dropLast()), signature + [0], [0] + signature, signature + signature,
            Array(signature.prefix(half)) + [0] + Array(signature.suffix(half)), [UInt8](repeating: 0, count: signature.count),
            [UInt8](repeating: 0xFF, count: signature.count),
        ]
        for altered in others {
            #expect(!key.publicKey.isValid(altered, over: message))
        }
        #expect(OpenSSLErrors.isEmpty)
        #expect(try key.publicKey.isValid(key.signature(over: []), over: []))
    }

    /// One in 128 has a short r or s; without filling up, some would have 63 bytes.
    @Test func `an ES256 signature always has 64 bytes`() throws {
        let key = try Self.key(.es256)
        for _ in 0..<1000 {
            let signature = try key.signature(over: [1, 2, 3])
            #expect(signature.count == 64)
            #expect(key.publicKey.isValid(signature, over: [1, 2, 3]))
        }
    }

    /// JWS forbids OpenSSL's own form.
    @Test func `an ES256 signature in DER is refused`() throws {
        let key = try Self.key(.es256)
        let der = try #require(ECDSASignature.der(fixed: key.signature(over: [1])))
        #expect(der.first == 0x30)
        #expect(!key.publicKey.isValid(der, over: [1]))
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `one key on many threads`(algorithm: SigningKey.Algorithm) async throws {
        let key = try Self.key(algorithm)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<32 {
                group.addTask {
                    try (0..<8).allSatisfy { round in
                        let message = [UInt8(task), UInt8(round)]
                        return try key.publicKey.isValid(key.signature(over: message), over: message)
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    // MARK: Redaction

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a key is never printed`(algorithm: SigningKey.Algorithm) throws {
        struct Holder { let key: SigningKey }
        let key = try Self.key(algorithm)
        var dumped = ""
        dump(Holder(key: key), to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\(Holder(key: key))"] {
            #expect(text.contains("<redacted>"))
            #expect(text.contains(key.keyID))
            #expect(!text.contains("PRIVATE"))
            #expect(!text.contains("KeyHandle"))
        }
    }
}
