internal import Accounts

/// What administrators have changed of a project; it goes before the configuration file.
public struct ProjectOverrides: Sendable, Equatable {
    /// The changed settings.
    public private(set) var values: [ProjectSetting: ProjectSettingValue]

    /// Takes what was changed.
    public init(_ values: [ProjectSetting: ProjectSettingValue] = [:]) {
        self.values = values
    }

    /// These with further changes; nil goes back to the configuration file.
    public func changed(by changes: [(ProjectSetting, ProjectSettingValue?)]) -> ProjectOverrides {
        var changed = self
        for (setting, value) in changes { changed.values[setting] = value }
        return changed
    }

    /// The project as it is changed.
    public func apply(to project: Project) -> Project {
        var project = project
        if let on = flag(.emailPrivacy) { project.accounts.emailPrivacy = on }
        if let required = flag(.passwordRequired) { project.emailLinkSignIn = !required }
        if let on = flag(.emailSignIn) {
            project.accounts.passwordSignIn = on
            if !on { project.emailLinkSignIn = false }
        }
        if let disabled = flag(.signUpDisabled) { project.accounts.allowSignUp = !disabled }
        if case .texts(let hosts) = values[.authorizedDomains] { project.authorizedDomains = .listed(Set(hosts)) }
        if case .text(let locale) = values[.defaultLocale] { project.defaultLocale = locale }
        return project
    }

    private func flag(_ setting: ProjectSetting) -> Bool? {
        if case .flag(let flag) = values[setting] { flag } else { nil }
    }
}
