/// What buckets count.
public enum RateLimitKind: UInt8, Sendable, CaseIterable {
    // The numbers are part of stored keys.

    /// Mails to an address.
    case mailsToAddress = 1
    /// Mails that a client asked for.
    case mailsOfClient = 2
    /// Mails of a project.
    case mailsOfProject = 3
    /// Changes that mail an address the way back, counted apart from other mails to it: nobody may use them up for its owner.
    case waysBack = 4
    /// Wrong passwords of a client for an address.
    case passwordsOfClientForAddress = 5
    /// Wrong passwords for an address from everywhere.
    case passwordsForAddress = 6
    /// Wrong passwords of a client, whatever the address.
    case passwordsOfClient = 7
    /// Accounts that a client made or tried to make.
    case signUps = 8
    /// A client's questions how an address signs in.
    case signInMethods = 9
    /// Changes of addresses and passwords that a client asked for.
    case accountChanges = 10

    /// What `/metrics` calls it.
    public var label: String {
        switch self {
        case .mailsToAddress: "mails_to_address"
        case .mailsOfClient: "mails_of_client"
        case .mailsOfProject: "mails_of_project"
        case .waysBack: "ways_back"
        case .passwordsOfClientForAddress: "passwords_of_client_for_address"
        case .passwordsForAddress: "passwords_for_address"
        case .passwordsOfClient: "passwords_of_client"
        case .signUps: "sign_ups"
        case .signInMethods: "sign_in_methods"
        case .accountChanges: "account_changes"
        }
    }
}
