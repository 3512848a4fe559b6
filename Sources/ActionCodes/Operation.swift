/// What an action code does when it is completed.
public enum Operation: UInt8, Sendable, CaseIterable {
    // The numbers are part of every code in the field: never change or reuse one.
    /// Sign in with an e-mail link.
    case signIn = 1
    /// Set a new password.
    case resetPassword = 2
    /// Prove that an address receives mail.
    case verifyEmail = 3
    /// Prove a new address and change to it.
    case verifyAndChangeEmail = 4
    /// Go back to the address that was replaced.
    case recoverEmail = 5
    /// Remove a second factor that was added.
    case revertSecondFactorAddition = 6

    /// Those that are offered, each with a mail of its own. A second factor comes with a later release.
    public static let offered: [Operation] = [.signIn, .resetPassword, .verifyEmail, .verifyAndChangeEmail, .recoverEmail]

    /// The value of `mode` in links, and the name of the template folder.
    public var mode: String {
        switch self {
        case .signIn: "signIn"
        case .resetPassword: "resetPassword"
        case .verifyEmail: "verifyEmail"
        case .verifyAndChangeEmail: "verifyAndChangeEmail"
        case .recoverEmail: "recoverEmail"
        case .revertSecondFactorAddition: "revertSecondFactorAddition"
        }
    }

    /// The value of `requestType` on the wire.
    public var requestType: String {
        switch self {
        case .signIn: "EMAIL_SIGNIN"
        case .resetPassword: "PASSWORD_RESET"
        case .verifyEmail: "VERIFY_EMAIL"
        case .verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .recoverEmail: "RECOVER_EMAIL"
        case .revertSecondFactorAddition: "REVERT_SECOND_FACTOR_ADDITION"
        }
    }

    /// How long a code lives unless the project says otherwise (DESIGN.md §5, interface.md §2).
    public var defaultLifetime: Duration {
        switch self {
        case .signIn: .seconds(6 * 3600)
        case .resetPassword: .seconds(3600)
        case .verifyEmail, .verifyAndChangeEmail: .seconds(3 * 86_400)
        case .recoverEmail, .revertSecondFactorAddition: .seconds(30 * 86_400)
        }
    }

    /// The operation with this `mode`.
    public init?(mode: String) {
        guard let match = Self.allCases.first(where: { $0.mode == mode }) else { return nil }
        self = match
    }
}
