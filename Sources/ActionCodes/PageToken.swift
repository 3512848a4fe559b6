internal import Crypto

/// What our own page puts into its form beside a link, so that a completion by form comes from somebody who was shown that page.
///
/// It is bound to the code and lives as long; it is no secret from whoever holds the link, and needs no cookie.
public enum PageToken {
    /// The token of a link's page: 144 bits in base64url.
    public static func text(for link: ActionLink, keys: KeyRing) -> String {
        // The link was verified with this key, so it is there.
        let key = keys.key(link.code.keyID) ?? keys.signing
        return Base64URL.encode(Array(HMACSHA256.tag(Array(link.oobCode.utf8), key: key.pages).prefix(18)))
    }

    /// Whether a form's token is the one of the link's page.
    public static func isValid(_ token: String, for link: ActionLink, keys: KeyRing) -> Bool {
        constantTimeEquals(Array(token.utf8), Array(text(for: link, keys: keys).utf8))
    }
}
