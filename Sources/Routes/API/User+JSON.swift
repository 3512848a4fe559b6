internal import Accounts
internal import Mail
internal import Platform

extension User {
    /// What production shows instead of a hash: base64 of "REDACTED". Clients ask for its presence only.
    static let redactedHash = "UkVEQUNURUQ="

    /// The account as the wire shows it (wire-contract.md §10); the hash of a password is never told, only that there is one.
    var asJSON: JSON {
        .object([
            ("localId", .string(id)),
            ("email", .optional(email?.text)),
            ("emailVerified", .bool(emailVerified)),
            ("displayName", .optional(displayName)),
            ("photoUrl", .optional(photoURL)),
            ("passwordHash", passwordHash == nil ? nil : .string(Self.redactedHash)),
            ("passwordUpdatedAt", passwordUpdatedAt.map { .int(Int($0.milliseconds)) }),
            ("phoneNumber", .optional(phoneNumber)),
            ("providerUserInfo", providers.isEmpty ? nil : .array(providers)),
            ("validSince", .int64(validSince.seconds)),
            ("disabled", disabled ? .bool(true) : nil),
            ("lastLoginAt", .int64(lastLoginAt?.milliseconds)),
            ("createdAt", .int64(createdAt.milliseconds)),
            ("lastRefreshAt", .optional(lastRefreshAt?.description)),
            ("emailLinkSignin", emailLinkSignIn ? .bool(true) : nil),
            ("initialEmail", .optional(initialEmail?.text)),
            ("customAttributes", .optional(customAttributes)),
        ])
    }

    /// `providerUserInfo`.
    var providers: [JSON] {
        var providers: [JSON] = []
        if let email, hasPasswordProvider {
            providers.append(
                .object([
                    ("providerId", .string("password")), ("email", .string(email.text)), ("federatedId", .string(email.text)),
                    ("rawId", .string(email.text)), ("displayName", .optional(displayName)), ("photoUrl", .optional(photoURL)),
                ]))
        }
        if let phoneNumber {
            providers.append(
                .object([
                    ("providerId", .string("phone")), ("phoneNumber", .string(phoneNumber)), ("rawId", .string(phoneNumber)),
                ]))
        }
        for provider in federatedProviders {
            providers.append(
                .object([
                    ("providerId", .string(provider.providerID)), ("rawId", .string(provider.rawID)),
                    ("federatedId", .string(provider.rawID)), ("email", .optional(provider.email)),
                    ("displayName", .optional(provider.displayName)), ("photoUrl", .optional(provider.photoURL)),
                ]))
        }
        return providers
    }
}
