internal import Crypto
internal import Glibc
internal import Mail
internal import Platform

extension DKIMSettings {
    /// What signs with these settings.
    ///
    /// - Throws: what is wrong with the key, such as `wrongKind` for an elliptic curve and `weakKey` for RSA with less than 2048 bits.
    func makeIdentity() throws(CryptoError) -> DKIMIdentity {
        let key = try loadKey()
        return DKIMIdentity(domain: domain, selector: selector, algorithm: key.algorithm.dkim) {
            octets throws(DKIMIdentity.SigningFailure) in
            do throws(CryptoError) {
                return try key.signature(over: octets)
            } catch {
                throw DKIMIdentity.SigningFailure(cause: "\(error.code)\(error.cause.map { ": \($0)" } ?? "")")
            }
        }
    }

    /// The DNS record that the key needs.
    func makeRecord() throws(CryptoError) -> DKIMRecord {
        let key = try loadKey()
        return DKIMRecord(domain: domain, selector: selector, algorithm: key.algorithm.dkim, publicKey: key.publicKey.recordBytes)
    }

    private func loadKey() throws(CryptoError) -> SigningKey {
        try SigningKey(pem: privateKey.exposed, accepting: SigningKey.Algorithm.ofDKIM)
    }

    /// What works, but not as an operator will want it; `from` is the From of the mails.
    func advice(from: EmailAddress) -> [String] {
        var lines: [String] = []
        if !Self.isAligned(domain, with: from.domain) {
            lines.append("domain: \(domain) is not the domain of From, \(from.domain), so the signature does not count for DMARC")
        }
        if let keyFile, Self.isOpenToOthers(keyFile) {
            lines.append("privateKey: other users may read \(keyFile); make it readable by its owner only (chmod 600)")
        }
        return lines
    }

    /// Whether DMARC counts a signature by `domain` for mails from `from`: the same, or one below the other (RFC 7489 §3.1.1, relaxed).
    ///
    /// Whether what they share belongs to one organisation is not known here, as no list of public suffixes is at hand.
    static func isAligned(_ domain: String, with from: String) -> Bool {
        domain == from || from.hasSuffix("." + domain) || domain.hasSuffix("." + from)
    }

    private static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & 0o007 != 0
    }
}

extension SigningKey.Algorithm {
    /// Those that DKIM has.
    static let ofDKIM: [SigningKey.Algorithm] = [.rs256, .edDSA]

    /// The same for DKIM. Only of those that DKIM has.
    var dkim: DKIMAlgorithm {
        switch self {
        case .rs256: .rsaSHA256
        case .edDSA: .ed25519SHA256
        case .es256: preconditionFailure("DKIM has no ECDSA")
        }
    }
}
