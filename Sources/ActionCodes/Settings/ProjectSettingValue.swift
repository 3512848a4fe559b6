/// What a setting was changed to.
public enum ProjectSettingValue: Sendable, Equatable {
    /// A switch.
    case flag(Bool)
    /// One text.
    case text(String)
    /// Several, none of which has a line break.
    case texts([String])

    /// The text that a store keeps.
    public var stored: String {
        switch self {
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: "\n")
        }
    }

    /// What a store has kept for a setting; nil when it could not have been `stored`.
    public init?(stored: String, of setting: ProjectSetting) {
        switch setting {
        case .emailPrivacy, .emailSignIn, .passwordRequired, .signUpDisabled:
            guard stored == "true" || stored == "false" else { return nil }
            self = .flag(stored == "true")
        case .authorizedDomains: self = .texts(stored.split(separator: "\n").map(String.init))
        case .defaultLocale: self = .text(stored)
        }
    }
}
