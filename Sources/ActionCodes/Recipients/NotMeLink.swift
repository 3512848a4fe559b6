internal import Crypto
public import Platform

/// The link in every mail for somebody who did not ask for it: `<publicURL>/__/auth/not-me?t=…`.
///
/// The token behind `t=` names a code and holds no address. Of its 45 bytes the first is the version, five say whose key, six the expiry of the
/// code in milliseconds, 16 are the code's id, and 17 the head of the HMAC-SHA256 over the others. Its key makes no codes, so a token is none.
/// It works as long as the code is kept: a day longer than the code itself.
public struct NotMeLink: Sendable, Equatable {
    /// The path of the page.
    public static let path = "/__/auth/not-me"
    /// How long the link outlives its code.
    static let grace = Duration.seconds(86_400)

    /// The token, as it stands in the link.
    public let token: String
    let id: ActionCodeID
    let expiresAt: UnixTime
    private let keyID: [UInt8]

    /// Why a token is not followed.
    public enum Rejection: Error, Sendable, Equatable {
        /// Not one that this service made.
        case forged
        /// Genuine, but too old to do anything.
        case expired
    }

    /// The whole link for the mail of a stored code.
    static func text(for code: ActionCode, project: Project, keys: KeyRing) -> String {
        var bytes: [UInt8] = [1]
        bytes += keys.signing.id
        let expiry = UInt64(clamping: code.expiresAt.milliseconds)
        for shift in stride(from: 40, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: expiry >> UInt64(shift))) }
        bytes += code.id.bytes
        return project.publicURL + path + "?t=" + Base64URL.encode(bytes + tag(over: bytes, key: keys.signing))
    }

    /// Reads a token that somebody sent.
    public init(_ token: String, keys: KeyRing, now: UnixTime) throws(Rejection) {
        guard token.utf8.count == 60, let bytes = Base64URL.decode(token), bytes.count == 45, bytes[0] == 1,
            let key = keys.key(bytes[1..<6]),
            let id = ActionCodeID(bytes[12..<28]),
            constantTimeEquals(Array(bytes[28...]), Array(Self.tag(over: Array(bytes[..<28]), key: key)))
        else { throw .forged }
        expiresAt = UnixTime(milliseconds: bytes[6..<12].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard now < expiresAt + Self.grace else { throw .expired }
        self.token = token
        self.id = id
        keyID = key.id
    }

    /// What our own page puts into its form, as `PageToken` does for other links.
    public func pageToken(keys: KeyRing) -> String {
        let key = keys.key(keyID) ?? keys.signing
        return Base64URL.encode(Array(HMACSHA256.tag(Array((Self.path + "?" + token).utf8), key: key.pages).prefix(18)))
    }

    /// Whether a form's token is the one of this link's page.
    public func isPageToken(_ text: String, keys: KeyRing) -> Bool {
        constantTimeEquals(Array(text.utf8), Array(pageToken(keys: keys).utf8))
    }

    private static func tag(over bytes: [UInt8], key: KeyRing.Key) -> ArraySlice<UInt8> {
        HMACSHA256.tag(bytes, key: key.disowning).prefix(17)
    }
}
