/// What an app asks of a link besides its purpose, as Firebase's SDKs name it; already checked against the project.
public struct ActionCodeSettings: Sendable, Equatable {
    /// Where the link leads on the web.
    public var continueURL: ContinueURL?
    /// Whether an app is to complete the operation, so that the link has the app form.
    public var canHandleCodeInApp = false
    /// The iOS app.
    public var iOSBundleID: String?
    /// Its number in the App Store.
    public var iOSAppStoreID: String?
    /// The Android app.
    public var androidPackageName: String?
    /// Whether Android is to offer the store when the app is missing.
    public var androidInstallApp = false
    /// The lowest version of the Android app that can complete the link.
    public var androidMinimumVersion: String?
    /// The link domain that the request chose.
    public var linkDomain: String?

    /// Makes settings without anything set.
    public init() {}

    /// Whether the link has the app form (interface.md §4).
    public var namesAnApp: Bool {
        canHandleCodeInApp && (iOSBundleID != nil || androidPackageName != nil)
    }
}
