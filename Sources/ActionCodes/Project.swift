public import Accounts
public import Mail

/// What a project allows and how its links and mails look: the settings of one entry of `projects` in the configuration.
public struct Project: Sendable, Equatable {
    /// The project id; part of tokens' `aud`.
    public var id: String
    /// What mails and pages call the app.
    public var displayName: String
    /// The keys that name this project; the first stands in links that a privileged call makes.
    public var apiKeys: [String]
    /// The hosts that a continueUrl may have.
    public var authorizedDomains: DomainPolicy
    /// The hosts that app links may have, the default one first.
    public var linkDomains: [String]
    /// Which values of `linkDomain` a request may name; `listed(linkDomains)` but in `dev`.
    public var linkDomainPolicy: DomainPolicy
    /// Where browsers reach this service: scheme, host and port, without a slash at the end.
    public var publicURL: String
    /// The project's own action page, which takes the place of `<publicURL>/__/auth/action` in links.
    public var actionURL: String?
    /// What tokens are issued for and by.
    public var accounts: AccountPolicy
    /// Whether sign-in by link is offered. Default true.
    public var emailLinkSignIn = true
    /// Whether sign-in mails hold six digits beside the link. Default false.
    public var includeCode = false
    /// The language of mails when the request names none. Default `en`.
    public var defaultLocale = "en"
    /// The From of mails.
    public var mailFrom: Mailbox
    /// The Reply-To of mails.
    public var mailReplyTo: Mailbox?
    /// How long codes live; operations that are not named here have their default.
    public var codeLifetimes: [Operation: Duration] = [:]
    /// How many wrong addresses a code survives. Default 5; 1 to 100.
    public var completionsPerCode = 5
    /// How much is taken before it is refused. Default no limits.
    public var limits = ProjectLimits()

    /// Makes a project with the defaults that do not depend on it.
    public init(
        id: String, displayName: String, apiKeys: [String], authorizedDomains: DomainPolicy, linkDomains: [String],
        linkDomainPolicy: DomainPolicy, publicURL: String, accounts: AccountPolicy, mailFrom: Mailbox
    ) {
        self.id = id
        self.displayName = displayName
        self.apiKeys = apiKeys
        self.authorizedDomains = authorizedDomains
        self.linkDomains = linkDomains
        self.linkDomainPolicy = linkDomainPolicy
        self.publicURL = publicURL
        self.accounts = accounts
        self.mailFrom = mailFrom
    }

    /// Where web links lead.
    public var actionBase: String { actionURL ?? publicURL + "/__/auth/action" }

    /// How long codes of `operation` live.
    public func lifetime(of operation: Operation) -> Duration {
        codeLifetimes[operation] ?? operation.defaultLifetime
    }
}
