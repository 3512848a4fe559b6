/// A private key that signs tokens and mail; never printed.
///
/// It may be used from any number of threads at once: the OpenSSL key below is not changed once it is loaded (see `KeyHandle`).
public struct SigningKey: Sendable {
    /// How the key signs, by its JWS name (RFC 7518 §3.1).
    public enum Algorithm: String, Sendable, CaseIterable {
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
        /// Ed25519 (RFC 8037 §3.1).
        case edDSA = "EdDSA"

        /// The kind of key, as people call it.
        var keyName: String {
            switch self {
            case .rs256: "RSA"
            case .es256: "P-256"
            case .edDSA: "Ed25519"
            }
        }
    }

    /// The half that may be published.
    public let publicKey: VerifyingKey
    private let handle: KeyHandle

    /// The algorithm, which follows from the kind of key.
    public var algorithm: Algorithm { publicKey.algorithm }

    /// The `kid`: the key's JWK thumbprint in base64url (RFC 7638).
    public var keyID: String { publicKey.keyID }

    /// A new random key: RSA with 2048 bits, P-256, or Ed25519.
    ///
    /// An RSA key takes some tenths of a second of one core.
    /// - Throws: `keyGenerationFailed`.
    public static func generate(_ algorithm: Algorithm) throws(CryptoError) -> SigningKey {
        try SigningKey(handle: .generate(algorithm))
    }

    /// Reads the first private key of a PEM text, PKCS#8 or traditional.
    ///
    /// - Parameter accepted: what the key may be for. Default all.
    /// - Throws: `malformedKey`, `encryptedKey` (nobody is asked for the passphrase), `notPrivate`, `unsupportedKeyType`, `weakKey`,
    ///   `unsupportedCurve`, `wrongKind` when the algorithm is not accepted, or `inconsistentKey` when the key cannot verify what it signs.
    public init(pem: String, accepting accepted: [Algorithm] = Algorithm.allCases) throws(CryptoError) {
        let key = try SigningKey(handle: KeyHandle(pem: pem))
        guard accepted.contains(key.algorithm) else { throw .wrongKind(key.algorithm, accepted: accepted) }
        // OpenSSL loads a private half with a foreign public half without a word, and every token would be refused. One signature tells.
        let probe = Array("postern".utf8)
        guard let signature = try? key.signature(over: probe), key.publicKey.isValid(signature, over: probe) else {
            throw .inconsistentKey
        }
        self = key
    }

    private init(handle: KeyHandle) throws(CryptoError) {
        self.handle = handle
        publicKey = try VerifyingKey(subjectPublicKeyInfo: handle.subjectPublicKeyInfo())
    }

    /// The private key as PKCS#8 PEM without a passphrase, for a file with mode 0600.
    public var pem: String {
        do throws(CryptoError) {
            return try handle.pkcs8PEM()
        } catch {
            // The key was checked when it was made, so only memory can fail here.
            preconditionFailure("out of memory for a private key")
        }
    }

    /// The signature in JWS form: PKCS#1 v1.5 with SHA-256, the 64 bytes r‖s (RFC 7518 §3.3, §3.4), or the 64 bytes of Ed25519.
    ///
    /// An RS256 signature costs a large part of a millisecond of one core and is the same every time, as an EdDSA one; an ES256 one never is.
    /// - Throws: `signingFailed`.
    public func signature(over message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = try handle.signature(over: message)
        switch algorithm {
        case .rs256, .edDSA: return signature
        case .es256:
            guard let fixed = ECDSASignature.fixed(der: signature) else { throw .signingFailed(cause: OpenSSLErrors.drain()) }
            return fixed
        }
    }

    /// A self-signed X.509 certificate in PEM form, for verifiers that want certificates by `kid` instead of JWKs.
    ///
    /// The serial number comes from the key, so with RSA the same arguments give the same text.
    /// - Parameters:
    ///   - commonName: subject and issuer, 1 to 64 characters.
    ///   - notBefore: seconds since 1970, not negative.
    ///   - notAfter: seconds since 1970, later than `notBefore`, not after the year 9999.
    /// - Throws: `certificateFailed`.
    public func selfSignedCertificate(commonName: String, notBefore: Int64, notAfter: Int64) throws(CryptoError) -> String {
        // OpenSSL itself writes years of five digits, which no reader accepts (RFC 5280 §4.1.2.5.2).
        guard 0 <= notBefore, notBefore < notAfter, notAfter <= 253_402_300_799 else {
            throw .certificateFailed(cause: "its dates are out of order or out of range")
        }
        // 16 bytes with the highest bits 01: positive, never zero, always as long, and within the 20 bytes of RFC 5280 §4.1.2.2.
        var serial = Array(SHA256.digest(try handle.subjectPublicKeyInfo()).prefix(16))
        serial[0] = serial[0] & 0x3F | 0x40
        return try handle.selfSignedCertificate(commonName: commonName, serial: serial, notBefore: notBefore, notAfter: notAfter)
    }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Algorithm and key id; the key itself is `<redacted>`.
    public var description: String { "SigningKey(\(algorithm.rawValue), \(keyID), <redacted>)" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
