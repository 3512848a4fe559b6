import Crypto
import FoundationEssentials
import Platform
import Testing

@testable import Accounts

@Suite struct TokenKeySetTests {
    private struct JWKS: Decodable {
        var keys: [[String: String]]
    }

    @Test(arguments: [
        (SigningKey.Algorithm.rs256, ["alg", "e", "kid", "kty", "n", "use"]), (.es256, ["alg", "crv", "kid", "kty", "use", "x", "y"]),
    ])
    func jwks(algorithm: SigningKey.Algorithm, members: [String]) throws {
        let folder = try TemporaryFolder()
        let set = try TokenKeys(folder: folder.path, algorithm: algorithm).current
        let keys = try JSONDecoder().decode(JWKS.self, from: Data(set.jwks)).keys
        try #require(keys.count == 1)
        #expect(keys[0].keys.sorted() == members)
        #expect(keys[0]["kid"] == set.signingKey.keyID)
        #expect(keys[0]["use"] == "sig")
        #expect(keys[0]["alg"] == algorithm.rawValue)
    }

    @Test func bothKeysArePublishedAfterARotationThatChangesTheAlgorithm() throws {
        let folder = try TemporaryFolder()
        _ = try TokenKeys(folder: folder.path, algorithm: .es256)
        let keys = try TokenKeys(folder: folder.path, algorithm: .rs256)
        #expect(keys.current.signingKey.algorithm == .es256)
        try keys.rotate()
        let set = keys.current
        #expect(set.signingKey.algorithm == .rs256)
        #expect(try JSONDecoder().decode(JWKS.self, from: Data(set.jwks)).keys.map { $0["alg"] } == ["RS256", "ES256"])
        let certificates = try JSONDecoder().decode([String: String].self, from: Data(set.certificates))
        #expect(Set(certificates.keys) == Set(set.published.map(\.keyID)))
        for pem in certificates.values {
            #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
            #expect(pem.hasSuffix("-----END CERTIFICATE-----\n"))
        }
        let text = String(decoding: set.jwks, as: UTF8.self) + String(decoding: set.certificates, as: UTF8.self)
        #expect(!text.contains("PRIVATE"))
        #expect(!text.contains(#""d":"#))
    }

    @Test func openIDConfiguration() throws {
        let folder = try TemporaryFolder()
        let set = try TokenKeys(folder: folder.path, algorithm: .es256).current
        let text = String(
            decoding: set.openIDConfiguration(
                issuer: "https://securetoken.google.com/demo", jwksURI: "https://auth.example.com/.well-known/jwks.json"),
            as: UTF8.self)
        #expect(
            text == #"{"issuer":"https://securetoken.google.com/demo","jwks_uri":"https://auth.example.com/.well-known/jwks.json","#
                + #""response_types_supported":["id_token"],"subject_types_supported":["public"],"#
                + #""id_token_signing_alg_values_supported":["ES256"]}"#)
    }
}
