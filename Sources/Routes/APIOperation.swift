/// An operation of Identity Toolkit that Postern offers.
enum APIOperation: Sendable, Equatable {
    case sendOobCode
    case signInWithEmailLink
    case resetPassword
    case update
    case signUp
    case lookup
    case delete

    /// By its name behind `accounts:`.
    init?(method: some StringProtocol) {
        switch method {
        case "sendOobCode": self = .sendOobCode
        case "signInWithEmailLink": self = .signInWithEmailLink
        case "resetPassword": self = .resetPassword
        case "update": self = .update
        case "signUp": self = .signUp
        case "lookup": self = .lookup
        case "delete": self = .delete
        default: return nil
        }
    }

    /// By its name in v3, which the iOS SDK still speaks.
    init?(legacy method: String) {
        switch method {
        case "getOobConfirmationCode": self = .sendOobCode
        case "emailLinkSignin": self = .signInWithEmailLink
        case "resetPassword": self = .resetPassword
        case "setAccountInfo": self = .update
        case "signupNewUser": self = .signUp
        case "getAccountInfo": self = .lookup
        case "deleteAccount": self = .delete
        default: return nil
        }
    }

    /// Whether it also exists under `projects/{p}/` (wire-contract.md §0.2).
    var isProjectScoped: Bool {
        switch self {
        case .sendOobCode, .update, .lookup, .delete: true
        // As `projects/{p}/accounts`, without a colon.
        case .signUp: false
        case .signInWithEmailLink, .resetPassword: false
        }
    }
}
