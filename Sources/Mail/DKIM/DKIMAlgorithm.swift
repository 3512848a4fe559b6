/// How a signature is made: the `a=` of DKIM (RFC 6376 §3.3, RFC 8463 §3).
public enum DKIMAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256; every verifier knows it.
    case rsaSHA256 = "rsa-sha256"
    /// Ed25519 over a SHA-256 digest; a verifier that does not know it passes it over.
    case ed25519SHA256 = "ed25519-sha256"

    /// The `k=` of the DNS record.
    public var keyType: String {
        switch self {
        case .rsaSHA256: "rsa"
        case .ed25519SHA256: "ed25519"
        }
    }
}
