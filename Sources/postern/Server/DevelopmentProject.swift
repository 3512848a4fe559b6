internal import Accounts
internal import ActionCodes
internal import Mail
internal import Routes

/// The settings of a project that nobody configured: `dev` lets everything through that passes the rules of form.
enum DevelopmentProject {
    /// The project with this id; nil when it is no project id, such as a path's `..`.
    static func make(id: String, publicURL: String) -> Project? {
        guard ProjectReader.isProjectID(id), let address = try? EmailAddress("noreply@localhost") else { return nil }
        return Project(
            id: id, displayName: id, apiKeys: [ProjectDirectory.developmentKey(of: id)], authorizedDomains: .any, linkDomains: [],
            linkDomainPolicy: .any, publicURL: publicURL, accounts: AccountPolicy(projectID: id),
            mailFrom: Mailbox(name: id, address: address))
    }
}
