/// A setting of a project that administrators may change while the service runs; the raw value is its path in Google's `config` resource
/// (wire-contract.md §15).
public enum ProjectSetting: String, Sendable, Hashable, CaseIterable {
    /// Whether answers hide which addresses have an account.
    case emailPrivacy = "emailPrivacyConfig.enableImprovedEmailPrivacy"
    /// Whether addresses can sign in at all.
    case emailSignIn = "signIn.email.enabled"
    /// Whether they need a password to, so that links are not offered.
    case passwordRequired = "signIn.email.passwordRequired"
    /// Whether strangers may not make accounts.
    case signUpDisabled = "client.permissions.disabledUserSignup"
    /// The hosts that a continueUrl may have.
    case authorizedDomains
    /// The language of mails when the request names none.
    case defaultLocale = "notification.defaultLocale"
}
