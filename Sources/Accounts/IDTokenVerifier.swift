internal import Crypto
internal import FoundationEssentials
internal import Mail
public import Platform

/// Checks ID tokens that clients send back.
public struct IDTokenVerifier: Sendable {
    /// The longest token that is looked at, in bytes.
    static let lengthLimit = 16 * 1024

    private let keys: TokenKeys

    /// Makes a verifier that accepts the signatures of all published `keys`.
    public init(keys: TokenKeys) {
        self.keys = keys
    }

    /// What the token says, once everything about it is right; by arithmetic alone, without the store.
    ///
    /// - Throws: `tokenExpired` when only its time is over, `invalidIDToken` for everything else.
    public func verify(_ token: String, policy: AccountPolicy, now: UnixTime) throws(AccountError) -> IDTokenClaims {
        guard token.utf8.count <= Self.lengthLimit else { throw .invalidIDToken }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let key = keys.current.key(header: parts[0]), let signature = Base64URL.decode(parts[2]) else {
            throw .invalidIDToken
        }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard key.isValid(signature, over: signed) else { throw .invalidIDToken }

        // From here on the text is our own; what remains is whose it is. A time of making in the future is our own clock's doing.
        guard let payload = Base64URL.decode(parts[1]), let claims = try? JSONDecoder().decode(Payload.self, from: Data(payload)),
            claims.iss == policy.issuer, claims.aud == policy.projectID, claims.sub == claims.user_id, !claims.sub.isEmpty
        else { throw .invalidIDToken }
        guard now.seconds < claims.exp else { throw .tokenExpired }
        return IDTokenClaims(
            projectID: policy.projectID, userID: claims.sub, issuedAt: UnixTime(seconds: claims.iat),
            authTime: UnixTime(seconds: claims.auth_time), expiresAt: UnixTime(seconds: claims.exp),
            signInProvider: claims.firebase.sign_in_provider, tokenEpoch: claims.firebase.token_epoch ?? 0,
            email: claims.email.map { EmailAddress(storedText: $0) })
    }

    /// The claims under their own names.
    private struct Payload: Decodable {
        var iss: String
        var aud: String
        var sub: String
        var user_id: String
        var iat: Int64
        var exp: Int64
        var auth_time: Int64
        var email: String?
        var firebase: Firebase

        struct Firebase: Decodable {
            var sign_in_provider: String
            var token_epoch: Int64?
        }
    }
}
