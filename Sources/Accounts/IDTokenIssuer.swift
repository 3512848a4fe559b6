internal import Crypto
internal import Mail
public import Platform

/// Makes ID tokens: signed JSON Web Tokens (RFC 7519) that tell backends who signed in (wire contract §18).
public struct IDTokenIssuer: Sendable {
    /// How long a token is good: one hour, as Firebase's SDKs expect.
    public static let lifetime: Duration = .seconds(3600)

    private let keys: TokenKeys
    private let clock: WallClock

    /// Makes an issuer that signs with the newest of `keys`.
    public init(keys: TokenKeys, clock: WallClock) {
        self.keys = keys
        self.clock = clock
    }

    /// The token of an account in a session.
    ///
    /// One signature, so a large part of a millisecond of one core with RS256.
    /// - Throws: `invalidClaims` when the stored custom claims are not a JSON object, which no use case stores; `crypto`.
    public func issue(for user: User, session: Session, policy: AccountPolicy) throws(AccountError) -> String {
        let payload = try Self.payload(for: user, session: session, policy: policy, now: clock.now())
        let keys = keys.current
        var token = keys.signingHeader
        token.reserveCapacity(token.count + payload.count * 4 / 3 + 2 + 512)
        token.append(contentsOf: Base64URL.encode(payload).utf8)
        let signature: [UInt8]
        do throws(CryptoError) {
            signature = try keys.signingKey.signature(over: token)
        } catch {
            throw .crypto(error)
        }
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64URL.encode(signature).utf8)
        return String(decoding: token, as: UTF8.self)
    }

    static func payload(
        for user: User, session: Session, policy: AccountPolicy, now: UnixTime
    ) throws(AccountError) -> [UInt8] {
        var custom: [CustomClaims.Claim] = []
        if let attributes = user.customAttributes, !attributes.isEmpty {
            guard let claims = CustomClaims(json: attributes) else { throw .invalidClaims }
            custom = claims.issuable
        }
        // A claim twice in one token would be read differently by different readers, so one written here is not written again below.
        func isCustom(_ name: String) -> Bool { custom.contains { $0.name == name } }

        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.member("iss", policy.issuer)
            json.member("aud", policy.projectID)
            json.member("auth_time", session.authTime.seconds)
            json.member("user_id", user.id)
            json.member("sub", user.id)
            json.member("iat", now.seconds)
            json.member("exp", (now + lifetime).seconds)
            if let email = user.email {
                json.member("email", email.text)
                json.member("email_verified", user.emailVerified)
            }
            if let number = user.phoneNumber { json.member("phone_number", number) }
            // An administrator may set these two, as with Firebase.
            if let name = user.displayName, !isCustom("name") { json.member("name", name) }
            if let picture = user.photoURL, !isCustom("picture") { json.member("picture", picture) }
            if session.signInProvider == SignInProvider.anonymous { json.member("provider_id", SignInProvider.anonymous) }
            for claim in custom { json.member(claim.name, json: claim.value) }
            json.object("firebase") { json in
                json.object("identities") { json in
                    for (provider, identities) in identities(of: user) { json.array(provider, identities) }
                }
                json.member("sign_in_provider", session.signInProvider)
                // Ours: Firebase's readers pass over what they do not know.
                if user.tokenEpoch > 0 { json.member("token_epoch", user.tokenEpoch) }
            }
        }
        return json.bytes
    }

    /// What the account is known by, by kind; at each provider possibly more than once.
    private static func identities(of user: User) -> [(provider: String, identities: [String])] {
        var result: [(provider: String, identities: [String])] = []
        if let email = user.email { result.append(("email", [email.text])) }
        if let number = user.phoneNumber { result.append(("phone", [number])) }
        for provider in user.federatedProviders {
            if let place = result.firstIndex(where: { $0.provider == provider.providerID }) {
                result[place].identities.append(provider.rawID)
            } else {
                result.append((provider.providerID, [provider.rawID]))
            }
        }
        return result
    }
}
