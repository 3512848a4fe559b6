internal import Crypto
internal import Mail

/// The random part of a Message-ID, made so that a delivery report which quotes it shows that we mailed this recipient: whoever has not seen the
/// mail cannot have an address suppressed.
enum MessageToken {
    /// Random bytes at its head.
    static let nonceLength = 12
    /// Bytes of HMAC-SHA256 behind them.
    static let tagLength = 8

    /// The token of a new mail; `nonce` is 12 random bytes.
    static func bytes(nonce: [UInt8], projectID: String, recipient: EmailAddress, keys: KeyRing) -> [UInt8] {
        nonce + tag(nonce: nonce, projectID: projectID, recipient: recipient, key: keys.signing)
    }

    /// Whether a token stands in a mail of this project to this recipient.
    static func isGenuine(_ token: [UInt8], projectID: String, recipient: EmailAddress, keys: KeyRing) -> Bool {
        guard token.count == nonceLength + tagLength else { return false }
        let nonce = Array(token.prefix(nonceLength))
        return keys.all.reduce(false) { found, key in
            let expected = tag(nonce: nonce, projectID: projectID, recipient: recipient, key: key)
            return constantTimeEquals(Array(token.suffix(tagLength)), Array(expected)) || found
        }
    }

    private static func tag(nonce: [UInt8], projectID: String, recipient: EmailAddress, key: KeyRing.Key) -> ArraySlice<UInt8> {
        // The nonce has a fixed length and a project id no NUL, so no two triples make the same input.
        HMACSHA256.tag(nonce, Array(projectID.utf8), [0], Array(recipient.text.utf8), key: key.messages).prefix(tagLength)
    }
}
