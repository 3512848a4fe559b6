/// Why a key, a signature, a certificate or a password hash could not be made.
///
/// No case carries key material: a cause is OpenSSL's own constant reason text.
public enum CryptoError: Error, Sendable, Equatable {
    /// The text holds no private key in PEM form.
    case malformedKey(cause: String)
    /// The private key is protected by a passphrase.
    case encryptedKey
    /// The PEM holds a public key or a certificate where a private key is needed.
    case notPrivate
    /// The key is neither RSA, elliptic-curve nor Ed25519.
    case unsupportedKeyType(String)
    /// The RSA key has fewer than 2048 bits.
    case weakKey(bits: Int)
    /// The elliptic-curve key is on another curve than P-256.
    case unsupportedCurve(String)
    /// The key is good, but not of a kind that is of use here.
    case wrongKind(SigningKey.Algorithm, accepted: [SigningKey.Algorithm])
    /// The private half does not belong to the public half.
    case inconsistentKey
    /// OpenSSL could not generate a key.
    case keyGenerationFailed(cause: String)
    /// OpenSSL could not sign.
    case signingFailed(cause: String)
    /// The certificate's name or dates are refused, or OpenSSL could not build it.
    case certificateFailed(cause: String)
    /// OpenSSL could not run scrypt, for instance for want of memory.
    case passwordHashingFailed(cause: String)
}

extension CryptoError {
    /// A stable word for programs.
    public var code: String {
        switch self {
        case .malformedKey: "malformed-key"
        case .encryptedKey: "encrypted-key"
        case .notPrivate: "not-a-private-key"
        case .unsupportedKeyType: "unsupported-key-type"
        case .weakKey: "weak-key"
        case .unsupportedCurve: "unsupported-curve"
        case .wrongKind: "wrong-kind-of-key"
        case .inconsistentKey: "inconsistent-key"
        case .keyGenerationFailed: "key-generation-failed"
        case .signingFailed: "signing-failed"
        case .certificateFailed: "certificate-failed"
        case .passwordHashingFailed: "password-hashing-failed"
        }
    }

    /// The detail for logs, free of secrets; `nil` when the code says it all.
    public var cause: String? {
        switch self {
        case .malformedKey(let cause), .keyGenerationFailed(let cause), .signingFailed(let cause), .certificateFailed(let cause),
            .passwordHashingFailed(let cause), .unsupportedKeyType(let cause), .unsupportedCurve(let cause):
            cause
        case .weakKey(let bits): "\(bits) bits"
        case .wrongKind(let algorithm, _): algorithm.keyName
        case .encryptedKey, .notPrivate, .inconsistentKey: nil
        }
    }
}

extension CryptoError: CustomStringConvertible {
    /// A sentence for people: what is wrong and what to do.
    public var description: String {
        switch self {
        case .malformedKey: "The text is not a private key in PEM form."
        case .encryptedKey: "The private key is protected by a passphrase; store it without one, readable by its owner only."
        case .notPrivate: "This is a public key or a certificate; the private key is needed."
        case .unsupportedKeyType: "The key type is not supported; use RSA with 2048 bits or more, P-256 or Ed25519."
        case .weakKey(let bits): "The RSA key has \(bits) bits; 2048 is the least that is accepted."
        case .unsupportedCurve: "The elliptic curve is not supported; use P-256."
        case .wrongKind(let algorithm, let accepted):
            "A key of type \(algorithm.keyName) cannot be used here; use \(accepted.map(\.keyName).joined(separator: " or "))."
        case .inconsistentKey: "The private and the public half of the key do not belong together; make a new key."
        case .keyGenerationFailed: "A new key could not be generated."
        case .signingFailed: "The signature could not be made."
        case .certificateFailed: "The certificate could not be made."
        case .passwordHashingFailed: "The password could not be hashed."
        }
    }
}
