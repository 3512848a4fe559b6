/// What DNS says about a key: the TXT record at `<selector>._domainkey.<domain>` (RFC 6376 §3.6).
public struct DKIMRecord: Sendable, Equatable {
    /// Where it stands, without a dot at the end.
    public let name: String
    /// The text, such as `v=DKIM1; k=rsa; p=MIIB…`.
    public let value: String

    /// Makes the record of a key. `publicKey` is the SubjectPublicKeyInfo for RSA, and the 32 bytes of the key for Ed25519 (RFC 8463 §4).
    public init(domain: String, selector: String, algorithm: DKIMAlgorithm, publicKey: [UInt8]) {
        name = "\(selector)._domainkey.\(domain)"
        var key: [UInt8] = []
        BodyEncoding.appendBase64(publicKey[...], to: &key)
        value = "v=DKIM1; k=\(algorithm.keyType); p=\(String(decoding: key, as: UTF8.self))"
    }

    /// The text in pieces of at most 255 octets, the longest string of a TXT record (RFC 1035 §3.3.14); verifiers join them without a blank.
    public var strings: [String] {
        let bytes = Array(value.utf8)
        return stride(from: 0, to: bytes.count, by: 255).map { start in
            String(decoding: bytes[start..<min(start + 255, bytes.count)], as: UTF8.self)
        }
    }

    /// The record as a line of a zone file (RFC 1035 §5.1).
    public var zoneLine: String {
        "\(name). IN TXT ( \(strings.map { "\"\($0)\"" }.joined(separator: " ")) )"
    }
}
