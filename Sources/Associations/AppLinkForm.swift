/// How a project's Apple apps are written into `applinks`; the raw value is what a configuration says.
public enum AppLinkForm: String, Sendable, CaseIterable {
    /// `appIDs` with `components`, which iOS 13, macOS 10.15 and later read: mailed links open the app, pages never do.
    case components

    /// The same, and for iOS 9 to 12 an entry of its own for each app with `appID` and `paths`.
    ///
    /// Old and new keys are never in one entry (Apple TN3155). Paths know no query, so old systems also open a bare `/__/auth/links`.
    case componentsAndPaths

    /// What Firebase Hosting generates, byte for byte: `appID` and four `paths` that open **every** page of the host in the app
    /// except `/__/auth/action`, `/__/auth/handler` and `/_/*`. No `webcredentials`.
    case firebaseCompat
}
