/// One token that a request needs.
public struct RateLimitDemand: Sendable {
    let kind: RateLimitKind
    let subject: RateLimitSubject
    let project: String
    let limit: RateLimit

    /// Asks for a token; nil without a limit, when there is nothing to ask for.
    public init?(_ kind: RateLimitKind, of subject: RateLimitSubject, project: String, limit: RateLimit?) {
        guard let limit else { return nil }
        self.kind = kind
        self.subject = subject
        self.project = project
        self.limit = limit
    }
}
