/// An operation of Identity Toolkit that Postern offers.
enum APIOperation: Sendable, Equatable {
    case sendOobCode
    case signInWithEmailLink
    case resetPassword
    case signUp
    case lookup
    case delete
    case update
    case signInWithPassword
    case signInWithCustomToken
    case signOutUser
    case createAuthURI
    case batchGet
    case batchDelete
    case query

    /// By its name behind `accounts:`, for the project of the credential.
    init?(method: some StringProtocol) {
        guard let operation = Self(name: method), operation.isUnscoped else { return nil }
        self = operation
    }

    /// By its name behind `projects/{p}/accounts:` (wire-contract.md §0.2).
    init?(projectMethod: some StringProtocol) {
        guard let operation = Self(name: projectMethod), operation.isProjectScoped else { return nil }
        self = operation
    }

    private init?(name: some StringProtocol) {
        switch name {
        case "sendOobCode": self = .sendOobCode
        case "signInWithEmailLink": self = .signInWithEmailLink
        case "resetPassword": self = .resetPassword
        case "signUp": self = .signUp
        case "lookup": self = .lookup
        case "delete": self = .delete
        case "update": self = .update
        case "signInWithPassword": self = .signInWithPassword
        case "signInWithCustomToken": self = .signInWithCustomToken
        case "createAuthUri": self = .createAuthURI
        case "batchGet": self = .batchGet
        case "batchDelete": self = .batchDelete
        case "query": self = .query
        default: return nil
        }
    }

    /// By its name in v3, which the iOS SDK still speaks.
    init?(legacy method: String) {
        switch method {
        case "getOobConfirmationCode": self = .sendOobCode
        case "emailLinkSignin": self = .signInWithEmailLink
        case "resetPassword": self = .resetPassword
        case "signupNewUser": self = .signUp
        case "getAccountInfo": self = .lookup
        case "deleteAccount": self = .delete
        case "setAccountInfo": self = .update
        case "verifyPassword": self = .signInWithPassword
        case "verifyCustomToken": self = .signInWithCustomToken
        case "signOutUser": self = .signOutUser
        case "createAuthUri": self = .createAuthURI
        case "downloadAccount": self = .batchGet
        default: return nil
        }
    }

    /// The verbs that it answers, but in v3, where any verb stands for the right one.
    var methods: [String] { self == .batchGet ? ["GET", "HEAD"] : ["POST"] }

    private var isUnscoped: Bool {
        switch self {
        // v3 only.
        case .signOutUser: false
        case .batchGet, .batchDelete, .query: false
        case .sendOobCode, .signInWithEmailLink, .signUp, .lookup, .delete, .update, .resetPassword, .signInWithPassword,
            .signInWithCustomToken, .createAuthURI:
            true
        }
    }

    private var isProjectScoped: Bool {
        switch self {
        case .sendOobCode, .lookup, .delete, .update, .batchGet, .batchDelete, .query: true
        // As `projects/{p}/accounts`, without a colon.
        case .signUp: false
        case .signInWithEmailLink, .resetPassword, .signInWithPassword, .signInWithCustomToken, .signOutUser, .createAuthURI: false
        }
    }
}
