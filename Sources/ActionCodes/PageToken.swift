internal import Crypto

/// What our own page puts into its form beside a link, so that what the form asks for comes from somebody who was shown that page.
///
/// It is bound to the code and to what the form does, and lives as long as the code; it is no secret from whoever may see the page, and needs
/// no cookie.
public enum PageToken {
    /// What a form does.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Completes the code. Everybody who opens the link gets this token.
        case completion
        /// Mails a link for a new password after an address was taken back. Only the answer to the completion holds this token, so that neither
        /// looking nor opening the used link again is enough.
        case passwordReset
    }

    /// The token of a link's page: 144 bits in base64url.
    public static func text(for link: ActionLink, purpose: Purpose = .completion, keys: KeyRing) -> String {
        // The link was verified with this key, so it is there.
        let key = keys.key(link.code.keyID) ?? keys.signing
        // A code has no full stop, so no two purposes sign the same text.
        let text = purpose == .completion ? link.oobCode : link.oobCode + "." + purpose.rawValue
        return Base64URL.encode(Array(HMACSHA256.tag(Array(text.utf8), key: key.pages).prefix(18)))
    }

    /// Whether a form's token is the one of the link's page for this purpose.
    public static func isValid(_ token: String, for link: ActionLink, purpose: Purpose = .completion, keys: KeyRing) -> Bool {
        constantTimeEquals(Array(token.utf8), Array(text(for: link, purpose: purpose, keys: keys).utf8))
    }
}
