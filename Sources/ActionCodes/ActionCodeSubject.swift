public import Accounts
public import Mail

/// What the store holds about the account behind a code: whether there is anybody to act for.
///
/// Nothing of this is looked at when a request is accepted with e-mail privacy on, since that would show in time; it decides when the mail is
/// composed, and again at completion (DESIGN.md §5.7).
public struct ActionCodeSubject: Sendable {
    /// The account that the code acts on; nil when there is none, or none any more.
    public let account: User?
    private let newEmailIsTaken: Bool

    /// Looks the account up.
    public init(of code: ActionCode, in reader: any StoreReader) throws(StoreError) {
        account = try Self.account(of: code, in: reader)
        newEmailIsTaken =
            if let newEmail = code.newEmail { try reader.user(email: newEmail, project: code.projectID) != nil } else { false }
    }

    /// The account that a code acts on: of the code's address and, where the code is bound to an account, none but that one.
    static func account(of code: ActionCode, in reader: any StoreReader) throws(StoreError) -> User? {
        // The address was replaced: only the id leads back to its account.
        if code.operation == .recoverEmail {
            guard let id = code.userID else { return nil }
            return try reader.user(id: id, project: code.projectID)
        }
        guard let user = try reader.user(email: code.email, project: code.projectID) else { return nil }
        return code.userID == nil || code.userID == user.id ? user : nil
    }

    /// Why the mail of `code` is not to be sent; nil when it is.
    public func reasonToDrop(_ code: ActionCode, project: Project) -> String? {
        switch code.operation {
        case .signIn: account == nil && !project.accounts.allowSignUp ? "no account, and sign-up is off" : nil
        case .resetPassword: account == nil ? "no account" : nil
        case .verifyEmail, .recoverEmail: account == nil ? Self.gone : nil
        case .verifyAndChangeEmail: account == nil ? Self.gone : newEmailIsTaken ? "the new address has an account" : nil
        case .revertSecondFactorAddition: "there are no second factors"
        }
    }

    private static let gone = "the account is gone, or has another address"
}
