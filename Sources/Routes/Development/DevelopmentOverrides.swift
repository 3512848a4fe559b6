internal import Accounts
public import ActionCodes
internal import Synchronization

/// What tests have switched in `dev` through the emulator's configuration route; forgotten at the end of the process.
public final class DevelopmentOverrides: Sendable {
    private let emailPrivacy = Mutex<[String: Bool]>([:])

    /// Nothing is switched.
    public init() {}

    func setEmailPrivacy(_ on: Bool, project: String) {
        emailPrivacy.withLock { $0[project] = on }
    }

    /// The project as it is switched now.
    public func apply(to project: Project) -> Project {
        guard let on = emailPrivacy.withLock({ $0[project.id] }) else { return project }
        var project = project
        project.accounts.emailPrivacy = on
        return project
    }
}
