/// What a project wants in its association files beyond mailed links; everything is off by default.
public struct AssociationOptions: Sendable, Equatable {
    /// How Apple apps are written. Default `.components`.
    public let appLinkForm: AppLinkForm

    /// Rules for further URLs in Apple apps, tried after the rules for mailed links, which they cannot change. Needs a form with components.
    public let extraComponents: [AppLinkComponent]

    /// App Clips, by the Clip's own bundle identifier (`com.example.app.Clip`); listed under `appclips`.
    public let appClips: [AppleApp]

    /// Whether Android 15 and later open nothing of this host in the app but mailed links and `extraAndroidComponents`,
    /// whatever the app's manifest says. Older systems ignore it.
    public let dynamicAppLinks: Bool

    /// Rules for further URLs in Android apps. Needs `dynamicAppLinks`; the manifest must have them too.
    public let extraAndroidComponents: [AppLinkComponent]

    /// Whether Android apps share the host's saved passwords and passkeys (`get_login_creds`).
    public let loginCredentials: Bool

    /// Takes options as configured; throws the first of `problems`.
    public init(
        appLinkForm: AppLinkForm = .components, extraComponents: [AppLinkComponent] = [], appClips: [AppleApp] = [],
        dynamicAppLinks: Bool = false, extraAndroidComponents: [AppLinkComponent] = [], loginCredentials: Bool = false
    ) throws(AssociationError) {
        self.appLinkForm = appLinkForm
        self.extraComponents = extraComponents
        self.appClips = appClips
        self.dynamicAppLinks = dynamicAppLinks
        self.extraAndroidComponents = extraAndroidComponents
        self.loginCredentials = loginCredentials
        let problems = Self.problems(
            appLinkForm: appLinkForm, extraComponents: extraComponents, dynamicAppLinks: dynamicAppLinks,
            extraAndroidComponents: extraAndroidComponents)
        if let problem = problems.first { throw problem }
    }

    private init() {
        appLinkForm = .components
        extraComponents = []
        appClips = []
        dynamicAppLinks = false
        extraAndroidComponents = []
        loginCredentials = false
    }

    /// Everything off.
    public static let none = AssociationOptions()

    /// Everything that does not go together; empty when `init` would succeed.
    public static func problems(
        appLinkForm: AppLinkForm, extraComponents: [AppLinkComponent], dynamicAppLinks: Bool, extraAndroidComponents: [AppLinkComponent]
    ) -> [AssociationError] {
        var problems: [AssociationError] = []
        if appLinkForm == .firebaseCompat && !extraComponents.isEmpty {
            let reason = "the link form \"firebaseCompat\" has paths only, and old and new keys must not be in one entry"
            problems.append(.invalid(.extraComponents, value: "", reason: reason))
        }
        if !dynamicAppLinks && !extraAndroidComponents.isEmpty {
            problems.append(.invalid(.extraAndroidComponents, value: "", reason: "dynamic app links are off"))
        }
        for component in extraAndroidComponents {
            if let reason = component.androidProblem {
                problems.append(.invalid(.extraAndroidComponents, value: component.written, reason: reason))
            }
        }
        return problems
    }
}
