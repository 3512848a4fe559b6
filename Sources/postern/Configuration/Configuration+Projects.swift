internal import Accounts
internal import ActionCodes

extension Configuration {
    /// The projects as the domain knows them.
    func makeProjects() -> [Project] {
        projects.map { $0.makeProject(publicURL: publicURL) }
    }

    /// The projects whose settings administrators may change.
    var changeableProjects: Set<String> {
        Set(projects.filter(\.configInDatabase).map(\.id))
    }
}

extension ProjectConfiguration {
    /// The project as the domain knows it; `publicURL` is the service's.
    func makeProject(publicURL: String) -> Project {
        var accounts = AccountPolicy(projectID: id, issuer: issuer)
        accounts.allowSignUp = allowSignUp
        accounts.passwordSignIn = passwordSignIn
        accounts.emailPrivacy = emailPrivacy
        var project = Project(
            id: id, displayName: displayName, apiKeys: apiKeys, authorizedDomains: .listed(Set(authorizedDomains)),
            linkDomains: linkDomains,
            linkDomainPolicy: .listed(Set(linkDomains)), publicURL: self.publicURL ?? publicURL, accounts: accounts, mailFrom: mailFrom)
        project.actionURL = actionURL
        project.emailLinkSignIn = emailLinkSignIn
        project.includeCode = includeCode
        project.defaultLocale = defaultLocale
        project.mailReplyTo = mailReplyTo
        project.codeLifetimes = codeLifetimes
        project.completionsPerCode = completionsPerCode
        project.limits = limits
        return project
    }
}
