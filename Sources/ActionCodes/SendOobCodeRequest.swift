/// What a caller of `accounts:sendOobCode` asks for, read but not checked.
public struct SendOobCodeRequest: Sendable {
    /// The type of mail; nil when missing or unspecified.
    public var operation: Operation?
    /// The name of a type that nobody may ask for, instead of an operation.
    public var closedType: String?
    /// The address.
    public var email: String?
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

    /// Makes an empty request.
    public init() {}
}
