/// The public half of a signing key, which holds nothing secret.
public struct VerifyingKey: Sendable {
    /// The algorithm, which follows from the kind of key.
    public let algorithm: SigningKey.Algorithm

    /// The `kid`: the key's JWK thumbprint in base64url (RFC 7638).
    public let keyID: String

    /// The key's own JWK members: `kty`, `n`, `e`, or `kty`, `crv`, `x`, `y` (RFC 7518 §6), or `kty`, `crv`, `x` (RFC 8037 §2); `kid`, `alg` and `use` are the publisher's.
    public let jwkParameters: [(name: String, value: String)]

    /// What a DKIM record publishes: the SubjectPublicKeyInfo (RFC 6376 §3.6.1), and of Ed25519 the 32 bytes alone (RFC 8463 §4).
    public let recordBytes: [UInt8]

    private let handle: KeyHandle

    init(subjectPublicKeyInfo: [UInt8]) throws(CryptoError) {
        handle = try KeyHandle(subjectPublicKeyInfo: subjectPublicKeyInfo)
        algorithm = handle.algorithm
        recordBytes = algorithm == .edDSA ? try handle.rawPublicKey() : subjectPublicKeyInfo
        switch algorithm {
        case .rs256:
            jwkParameters = [
                ("kty", "RSA"),
                ("n", Base64URL.encode(try handle.publicNumber("n"))),
                ("e", Base64URL.encode(try handle.publicNumber("e"))),
            ]
        case .es256:
            // Coordinates keep their leading zeros (RFC 7518 §6.2.1.2).
            jwkParameters = [
                ("kty", "EC"), ("crv", "P-256"),
                ("x", Base64URL.encode(try handle.publicNumber("qx", width: 32))),
                ("y", Base64URL.encode(try handle.publicNumber("qy", width: 32))),
            ]
        case .edDSA: jwkParameters = [("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(recordBytes))]
        }
        keyID = Self.thumbprint(of: jwkParameters)
    }

    /// Whether the private half made this signature, in JWS form, over exactly this message.
    ///
    /// `false` also for a signature of another length or form.
    public func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch algorithm {
        case .rs256, .edDSA: return handle.isValid(signature, over: message)
        case .es256:
            guard let der = ECDSASignature.der(fixed: signature) else { return false }
            return handle.isValid(der, over: message)
        }
    }

    /// SHA-256 over the required members as JSON, sorted by name, without white space (RFC 7638 §3).
    ///
    /// The values are base64url and registered names, so nothing needs escaping.
    static func thumbprint(of parameters: [(name: String, value: String)]) -> String {
        let members = parameters.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\"\($0.value)\"" }
        return Base64URL.encode(SHA256.digest(Array("{\(members.joined(separator: ","))}".utf8)))
    }
}

extension VerifyingKey: CustomStringConvertible {
    /// Algorithm and key id.
    public var description: String { "VerifyingKey(\(algorithm.rawValue), \(keyID))" }
}
