/// How much a project takes before it refuses; nil takes any number.
public struct ProjectLimits: Sendable, Equatable {
    /// Mails to one address.
    public var perAddress: RateLimit?
    /// Mails that one client asks for, and its calls of each other kind that is limited.
    public var perClient: RateLimit?
    /// Mails of the project.
    public var perProject: RateLimit?
    /// Wrong passwords for one address from one client; from everywhere ten times as many.
    public var passwordAttempts: RateLimit?

    /// Makes limits; without any, nothing is refused.
    public init(
        perAddress: RateLimit? = nil, perClient: RateLimit? = nil, perProject: RateLimit? = nil, passwordAttempts: RateLimit? = nil
    ) {
        self.perAddress = perAddress
        self.perClient = perClient
        self.perProject = perProject
        self.passwordAttempts = passwordAttempts
    }

    /// What `postern serve` has where its configuration says nothing; `postern dev` has none.
    public static let standard = ProjectLimits(
        perAddress: RateLimit(count: 5, period: .seconds(15 * 60)), perClient: RateLimit(count: 60, period: .seconds(15 * 60)),
        perProject: RateLimit(count: 10_000, period: .seconds(3600)), passwordAttempts: RateLimit(count: 10, period: .seconds(15 * 60)))

    /// These, and the standard ones where there are none.
    public var orStandard: ProjectLimits {
        ProjectLimits(
            perAddress: perAddress ?? Self.standard.perAddress, perClient: perClient ?? Self.standard.perClient,
            perProject: perProject ?? Self.standard.perProject, passwordAttempts: passwordAttempts ?? Self.standard.passwordAttempts)
    }
}
