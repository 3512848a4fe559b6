import Testing

@testable import Crypto

@Suite struct CertificateTests {
    /// The parts of an X.509 certificate: what is signed, and the signature.
    private struct Certificate {
        let whole: [UInt8]
        let signed: [UInt8]
        let signature: [UInt8]

        init(pem: String) throws {
            let lines = pem.split(separator: "\n")
            try #require(lines.first == "-----BEGIN CERTIFICATE-----" && lines.last == "-----END CERTIFICATE-----")
            let text = lines.dropFirst().dropLast().joined()
            whole = try #require(Base64.decode(String(text.prefix { $0 != "=" }), alphabet: .standard))
            let content = try Self.element(whole[...]).content
            let first = try Self.element(content)
            signed = Array(first.whole)
            let algorithm = try Self.element(content.dropFirst(first.whole.count))
            let bits = try Self.element(content.dropFirst(first.whole.count + algorithm.whole.count))
            signature = Array(bits.content.dropFirst())
        }

        /// The DER element at the start of the bytes.
        private static func element(_ bytes: ArraySlice<UInt8>) throws -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>) {
            let start = bytes.startIndex
            var (length, header) = (Int(bytes[start + 1]), 2)
            if length >= 0x80 {
                let count = length & 0x7F
                length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
                header += count
            }
            return (bytes.prefix(header + length), bytes.dropFirst(header).prefix(length))
        }
    }

    private static let from: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z
    private static let until: Int64 = 4_102_444_800  // 2100-01-01T00:00:00Z

    private func make(_ algorithm: SigningKey.Algorithm, name: String = "postern") throws -> String {
        try SigningKeyTests.key(algorithm).selfSignedCertificate(commonName: name, notBefore: Self.from, notAfter: Self.until)
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `it holds the key, the name and the dates`(algorithm: SigningKey.Algorithm) throws {
        let certificate = try Certificate(pem: make(algorithm, name: "Pförtner"))
        let key = try SigningKeyTests.key(algorithm)
        for (name, value) in key.publicKey.jwkParameters where ["n", "x", "y"].contains(name) {
            #expect(certificate.signed.contains(try #require(Base64URL.decode(value))))
        }
        for text in ["Pförtner", "260101000000Z", "21000101000000Z"] {
            #expect(certificate.signed.contains(Array(text.utf8)), "\(text)")
        }
        // basicConstraints and keyUsage, both critical: no authority, digitalSignature.
        #expect(certificate.signed.contains(hex("0603551d13 0101ff 0402 3000")))
        #expect(certificate.signed.contains(hex("0603551d0f 0101ff 0404 03020780")))
        // Version 3 and a positive serial number of 16 bytes.
        #expect(certificate.signed.contains(hex("a003020102 0210")))
        #expect(OpenSSLErrors.isEmpty)
    }

    @Test func `the key has signed it`() throws {
        let rsa = try Certificate(pem: make(.rs256))
        #expect(try SigningKeyTests.key(.rs256).publicKey.isValid(rsa.signature, over: rsa.signed))
        let p256 = try Certificate(pem: make(.es256))
        let fixed = try #require(ECDSASignature.fixed(der: p256.signature))
        #expect(try SigningKeyTests.key(.es256).publicKey.isValid(fixed, over: p256.signed))
    }

    @Test func `it is the same every time for RSA`() throws {
        #expect(try make(.rs256) == make(.rs256))
        #expect(try make(.rs256) != make(.rs256, name: "other"))
        // For ECDSA all but the signature.
        #expect(try Certificate(pem: make(.es256)).signed == Certificate(pem: make(.es256)).signed)
    }

    @Test(arguments: [
        ("", from, until), (String(repeating: "x", count: 65), from, until), ("x", until, from), ("x", from, from),
        ("x", from, 253_402_300_800), ("x", from, .max), ("x", .min, until), ("x", -1, until),
    ])
    func `names and dates that are refused`(name: String, notBefore: Int64, notAfter: Int64) throws {
        let key = try SigningKeyTests.key(.es256)
        do {
            _ = try key.selfSignedCertificate(commonName: name, notBefore: notBefore, notAfter: notAfter)
            Issue.record("accepted")
        } catch {
            #expect(error.code == "certificate-failed")
        }
        #expect(OpenSSLErrors.isEmpty)
    }

    @Test func `the longest name and the last second`() throws {
        let key = try SigningKeyTests.key(.es256)
        _ = try key.selfSignedCertificate(commonName: String(repeating: "ö", count: 64), notBefore: 0, notAfter: 253_402_300_799)
    }
}
