import Testing

@testable import Crypto

@Suite struct CryptoErrorTests {
    private static let all: [CryptoError] = [
        .malformedKey(cause: "c"), .encryptedKey, .notPrivate, .unsupportedKeyType("c"), .weakKey(bits: 512), .unsupportedCurve("c"),
        .wrongKind(.es256, accepted: [.rs256, .edDSA]), .inconsistentKey, .keyGenerationFailed(cause: "c"), .signingFailed(cause: "c"),
        .certificateFailed(cause: "c"),
        .passwordHashingFailed(cause: "c"),
    ]

    @Test func `codes and sentences are distinct`() {
        #expect(Set(Self.all.map(\.code)).count == Self.all.count)
        #expect(Set(Self.all.map(\.description)).count == Self.all.count)
        #expect(Self.all.allSatisfy { $0.description.hasSuffix(".") })
    }

    @Test func `the wrong kind says which are right`() {
        #expect(
            CryptoError.wrongKind(.es256, accepted: [.rs256, .edDSA]).description
                == "A key of type P-256 cannot be used here; use RSA or Ed25519.")
    }

    @Test func `a cause stays out of the sentence`() {
        let error = CryptoError.signingFailed(cause: "internal error")
        #expect(error.cause == "internal error")
        #expect(!error.description.contains("internal"))
    }
}
