/// What readiness is made of: a name and, when it is not well, a reason without secrets.
public struct ReadinessCheck: Sendable {
    /// What is checked, such as `database`.
    public let name: String
    /// Whether the service can do its work without it.
    public let isEssential: Bool
    /// Nil when all is well.
    public let problem: @Sendable () async -> String?

    /// Makes a check. A failing check that is not essential, such as the mail server, is shown but does not take the service out of use:
    /// mails wait in the outbox.
    public init(name: String, isEssential: Bool, problem: @escaping @Sendable () async -> String?) {
        self.name = name
        self.isEssential = isEssential
        self.problem = problem
    }
}
