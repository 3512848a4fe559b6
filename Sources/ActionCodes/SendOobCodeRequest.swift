public import Platform

/// What a caller of `accounts:sendOobCode` asks for, read but not checked.
public struct SendOobCodeRequest: Sendable {
    /// The type of mail; nil when missing or unspecified.
    public var operation: Operation?
    /// The name of a type that nobody may ask for, instead of an operation.
    public var closedType: String?
    /// The address.
    public var email: String?
    /// The address that the account is to get.
    public var newEmail: String?
    /// An ID token of the account, for what the account itself asks for.
    public var idToken: String?
    /// Whether the account is named by `email` where an app would send its ID token: the operator's own command. Privileged callers who ask for
    /// a link without an ID token do so too.
    public var namesAccountByAddress = false
    /// Where the link leads.
    public var continueURL: String?
    /// Whether an app completes the operation.
    public var canHandleCodeInApp = false
    /// The iOS app.
    public var iOSBundleID: String?
    /// Its number in the App Store.
    public var iOSAppStoreID: String?
    /// The Android app.
    public var androidPackageName: String?
    /// Whether to offer the store.
    public var androidInstallApp = false
    /// The lowest Android version.
    public var androidMinimumVersion: String?
    /// The link domain.
    public var linkDomain: String?
    /// The retired kind of link domain.
    public var dynamicLinkDomain: String?
    /// Whether the caller wants the link instead of a mail.
    public var returnOobLink = false
    /// Whether the caller is privileged.
    public var isPrivileged = false
    /// The API key that the caller named, if it is one of the project's.
    public var apiKey: String?
    /// `X-Firebase-Locale`.
    public var locale: String?
    /// The languages of `Accept-Language`, the most wanted first.
    public var acceptedLanguages: [String] = []

    /// Where the request comes from; nil when nobody knows.
    public var client: IPAddress?

    /// Makes an empty request.
    public init() {}
}
