public import Crypto
public import Platform

/// The keys of ID tokens at one moment: the one that signs, those that verify, and how they are published.
public struct TokenKeySet: Sendable {
    /// One key and its place in time.
    struct Entry: Sendable {
        var key: SigningKey
        var created: UnixTime
        /// When it begins to sign, unless a younger one does.
        var activates: UnixTime
        /// When the last token that the key may have signed has expired; `nil` for the newest.
        var retires: UnixTime?
    }

    /// The newest key that has been published for long enough; it signs new tokens.
    public let signingKey: SigningKey
    /// The keys whose tokens are accepted, from younger to older; one that does not sign yet is among them.
    public let published: [VerifyingKey]
    /// The JWK set (RFC 7517 §5), ready to be sent.
    public let jwks: [UInt8]
    /// The object `kid` → X.509 certificate in PEM, ready to be sent (wire contract §18).
    public let certificates: [UInt8]
    /// When the next key begins to sign or stops being published; `nil` when nothing is to change.
    public let nextChange: UnixTime?

    /// The first part of every token that `signingKey` signs, with its dot.
    let signingHeader: [UInt8]
    private let keysByHeader: [String: VerifyingKey]

    /// How long a certificate lasts. Nothing renews it while its key stays the same, so it is long; retiring a key is what ends it.
    private static let certificateLifetime: Int64 = 10 * 365 * 86_400

    /// Takes the newest key and the older ones, younger before older.
    init(newest: Entry, older: [Entry], now: UnixTime) throws(CryptoError) {
        let entries = [newest] + older
        // With none old enough, the oldest: it has been published for longest.
        let signing = entries.first { $0.activates <= now } ?? older.last ?? newest
        signingKey = signing.key
        published = entries.map(\.key.publicKey)
        nextChange = (entries.compactMap(\.retires) + entries.map(\.activates).filter { $0 > now }).min()
        signingHeader = Array((Self.header(of: signing.key.publicKey) + ".").utf8)
        keysByHeader = Dictionary(published.map { (Self.header(of: $0), $0) }) { younger, _ in younger }
        jwks = Self.jwks(published)

        var certificates: [(kid: String, pem: String)] = []
        for entry in entries {
            let created = entry.created.seconds
            let pem = try entry.key.selfSignedCertificate(
                commonName: "Postern ID tokens", notBefore: created, notAfter: created + Self.certificateLifetime)
            certificates.append((entry.key.keyID, pem))
        }
        var json = JSONWriter()
        json.object { json in
            for certificate in certificates { json.member(certificate.kid, certificate.pem) }
        }
        self.certificates = json.bytes
    }

    /// The OpenID Connect discovery document of one issuer, as far as checking a token needs it (OpenID Connect Discovery 1.0 §3).
    public func openIDConfiguration(issuer: String, jwksURI: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("issuer", issuer)
            json.member("jwks_uri", jwksURI)
            json.array("response_types_supported", ["id_token"])
            json.array("subject_types_supported", ["public"])
            let algorithms = SigningKey.Algorithm.allCases.filter { algorithm in published.contains { $0.algorithm == algorithm } }
            json.array("id_token_signing_alg_values_supported", algorithms.map(\.rawValue))
        }
        return json.bytes
    }

    /// The key behind a token's first part, when it is exactly what this server writes for one of its keys.
    ///
    /// So nothing in a foreign header is ever interpreted: `none`, another algorithm, an embedded key and a critical extension are all
    /// just headers that nobody here wrote.
    func key(header: Substring) -> VerifyingKey? {
        keysByHeader[String(header)]
    }

    private static func header(of key: VerifyingKey) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("alg", key.algorithm.rawValue)
            json.member("kid", key.keyID)
            json.member("typ", "JWT")
        }
        return Base64URL.encode(json.bytes)
    }

    private static func jwks(_ keys: [VerifyingKey]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("keys") { json in
                for key in keys {
                    json.elementObject { json in
                        json.member("use", "sig")
                        json.member("alg", key.algorithm.rawValue)
                        json.member("kid", key.keyID)
                        for parameter in key.jwkParameters { json.member(parameter.name, parameter.value) }
                    }
                }
            }
        }
        return json.bytes
    }
}
