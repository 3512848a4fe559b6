/// How much a project takes before it refuses; nil where the file says nothing.
struct ProjectLimits: Sendable, Equatable {
    /// Mails to one address.
    var perAddress: RateLimit?
    /// Mails that one client address asks for.
    var perClient: RateLimit?
    /// Mails of the project.
    var perProject: RateLimit?

    /// What `postern serve` has where the file says nothing; `postern dev` has none.
    static let standard = ProjectLimits(
        perAddress: RateLimit(count: 5, period: .seconds(15 * 60)), perClient: RateLimit(count: 60, period: .seconds(15 * 60)),
        perProject: RateLimit(count: 10_000, period: .seconds(3600)))

    /// These, and the standard ones where there are none.
    var orStandard: ProjectLimits {
        ProjectLimits(
            perAddress: perAddress ?? Self.standard.perAddress, perClient: perClient ?? Self.standard.perClient,
            perProject: perProject ?? Self.standard.perProject)
    }
}
