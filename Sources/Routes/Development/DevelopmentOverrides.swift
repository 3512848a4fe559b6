internal import Accounts
public import ActionCodes
internal import Synchronization

/// What tests have switched in `dev` through the configuration routes; forgotten at the end of the process.
public final class DevelopmentOverrides: Sendable {
    /// A setting of a project that can be switched.
    enum Switch: Sendable, Hashable {
        /// Whether answers hide which addresses have an account.
        case emailPrivacy
        /// Whether addresses can sign in at all.
        case emailSignIn
        /// Whether they need a password to, so that links are not offered.
        case passwordRequired
    }

    private let switched = Mutex<[String: [Switch: Bool]]>([:])

    /// Nothing is switched.
    public init() {}

    func setEmailPrivacy(_ on: Bool, project: String) { set([(.emailPrivacy, on)], project: project) }

    /// Switches, or with nil goes back to what is configured.
    func set(_ changes: [(Switch, Bool?)], project: String) {
        switched.withLock { switched in
            for (setting, value) in changes { switched[project, default: [:]][setting] = value }
        }
    }

    /// The project as it is switched now.
    public func apply(to project: Project) -> Project {
        guard let settings = switched.withLock({ $0[project.id] }) else { return project }
        var project = project
        if let on = settings[.emailPrivacy] { project.accounts.emailPrivacy = on }
        if let required = settings[.passwordRequired] { project.emailLinkSignIn = !required }
        if let on = settings[.emailSignIn] {
            project.accounts.passwordSignIn = on
            if !on { project.emailLinkSignIn = false }
        }
        return project
    }
}
