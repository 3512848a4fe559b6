internal import ActionCodes
internal import Associations
internal import Mail
internal import Routes

/// One entry of `projects`, checked.
struct ProjectConfiguration: Sendable, Equatable {
    /// Lower-case letters, digits and hyphens; at most 63.
    var id: String
    /// Default the id.
    var displayName: String
    /// At least one; the first stands in links that a privileged call makes.
    var apiKeys: [String]
    /// Exact hosts that a continueUrl may have.
    var authorizedDomains: [String] = []
    /// Hosts whose app links are answered, the default one first; no other project has them.
    var linkDomains: [String] = []
    /// Takes the place of the service's; no slash at the end.
    var publicURL: String?
    /// The iss of tokens; nil for the default.
    var issuer: String?
    /// The project's own action page.
    var actionURL: String?
    /// What its landing pages have of their own.
    var pages = PageAppearance()
    /// The apps of the association files, and what else those say.
    var apps = ProjectAssociations.none
    /// Default true.
    var emailPrivacy = true
    /// Default true.
    var emailLinkSignIn = true
    /// Default true.
    var passwordSignIn = true
    /// Default true.
    var allowSignUp = true
    /// Default false.
    var configInDatabase = false
    /// Default false.
    var includeCode = false
    /// A language tag. Default en.
    var defaultLocale = "en"
    /// The folder of the mail templates that differ from the service's.
    var templatesPath: String?
    /// The From of mails. `postern dev` makes one from the id when the file has none.
    var mailFrom: Mailbox
    /// The Reply-To of mails.
    var mailReplyTo: Mailbox?
    /// Each signs every mail; none when the mail server does.
    var dkim: [DKIMSettings] = []
    /// Operations that are not here have their default; 1 min to 60 days.
    var codeLifetimes: [ActionCodes.Operation: Duration] = [:]
    /// What is refused.
    var limits = ProjectLimits()
    /// 1 to 100, default 5.
    var completionsPerCode = 5
}
