public import Crypto

/// The secret with which a client gets fresh ID tokens: 43 characters of unpadded base64url, 256 random bits.
///
/// Only its hash is stored. The random bits are many, so a plain digest hides them: there is nothing to guess through.
public struct RefreshToken: Sendable {
    /// What the client keeps; printed nowhere.
    public let text: String

    private static let byteCount = 32

    /// Draws a new token.
    public static func make(_ randomness: Randomness) -> RefreshToken {
        RefreshToken(checked: Base64URL.encode(randomness.bytes(byteCount)))
    }

    /// Takes what a client sent; `nil` when no token looks like that.
    public init?(_ text: String) {
        // Length first: it is the client's to choose.
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        self.init(checked: text)
    }

    private init(checked text: String) {
        self.text = text
    }

    /// SHA-256 of the text (32 bytes), by which its session is found.
    public var hash: [UInt8] { SHA256.digest(Array(text.utf8)) }
}

extension RefreshToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`; `text` is the way out.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
