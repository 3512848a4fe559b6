/// The claims that an administrator gave to an account, read from their stored JSON text.
///
/// Values are kept as the text they came in, without white space, so that numbers lose no digit on their way into a token.
struct CustomClaims: Equatable {
    /// One claim.
    struct Claim: Equatable {
        /// The name, its escapes undone, so that no spelling of a reserved name slips through.
        var name: String
        /// The value as JSON.
        var value: [UInt8]
    }

    /// The claims in their order; of two with one name the later counts, in the earlier one's place.
    private(set) var claims: [Claim] = []

    /// Names that mean something to whoever checks a token, and are never an administrator's to set (wire contract §18).
    static let reserved: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase", "at_hash", "c_hash",
    ]

    /// Names that tell who the account is: what the account itself says stands, also when it says nothing.
    static let owned: Set<String> = ["user_id", "email", "email_verified", "phone_number", "provider_id"]

    /// Reads a JSON object; `nil` for anything else, for malformed JSON (RFC 8259) and for nesting deeper than 32.
    init?(json: String) {
        var reader = JSONMembers(Array(json.utf8))
        guard let members = reader.document() else { return nil }
        var places: [String: Int] = [:]
        for (name, value) in members {
            if let place = places[name] {
                claims[place].value = value
            } else {
                places[name] = claims.count
                claims.append(Claim(name: name, value: value))
            }
        }
    }

    /// The claims that a token may carry.
    var issuable: [Claim] {
        claims.filter { !Self.reserved.contains($0.name) && !Self.owned.contains($0.name) }
    }
}
