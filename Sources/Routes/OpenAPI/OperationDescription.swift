/// What the document says of one operation of Identity Toolkit, whichever path leads to it.
struct OperationDescription: Sendable {
    /// What it does, in a line.
    let summary: String
    /// The members of the body, or of the query where the operation is a GET; all of them may be missing as far as types go.
    let request: [(String, JSON)]
    /// The members of a success.
    let response: [(String, JSON)]
    /// The business codes that it may refuse with, without their details; those of every operation are not repeated.
    let errors: [String]
    /// What it answers with 501; empty when nothing.
    var notImplemented: String = ""
    /// Whether only an administrator may call it.
    var isPrivileged = false

    /// What an ID token in the body may be refused with.
    static let idTokenErrors = ["INVALID_ID_TOKEN", "TOKEN_EXPIRED", "USER_NOT_FOUND", "USER_DISABLED"]
    /// What every operation may refuse with before its own checks.
    static let commonErrors = [
        "INSUFFICIENT_PERMISSION", "INVALID_PROJECT_ID", "PROJECT_NOT_FOUND", "TENANT_NOT_FOUND",
    ]
    /// What every operation takes besides.
    static let commonRequest: [(String, JSON)] = [("targetProjectId", Schema.string), ("tenantId", Schema.string)]

    static let tokens: [(String, JSON)] = [
        ("idToken", Schema.string), ("refreshToken", Schema.string), ("expiresIn", Schema.int64),
    ]
    static let optionalTokens = tokens.map { ($0.0 + "?", $0.1) }

    static func kind(_ name: String) -> (String, JSON) { ("kind", Schema.constant("identitytoolkit#" + name)) }
}

extension APIOperation {
    /// Every operation, in the order of the document. A test holds it against the paths that the router knows.
    static let all: [APIOperation] = [
        .sendOobCode, .signInWithEmailLink, .resetPassword, .signUp, .lookup, .delete, .update, .signInWithPassword, .signInWithCustomToken,
        .signOutUser,
        .createAuthURI, .batchGet, .batchDelete, .query,
    ]

    /// An operation without a description does not compile.
    var description: OperationDescription {
        switch self {
        case .sendOobCode: .sendOobCode
        case .signInWithEmailLink: .signInWithEmailLink
        case .resetPassword: .resetPassword
        case .signUp: .signUp
        case .lookup: .lookup
        case .delete: .delete
        case .update: .update
        case .signInWithPassword: .signInWithPassword
        case .signInWithCustomToken: .signInWithCustomToken
        case .signOutUser: .signOutUser
        case .createAuthURI: .createAuthURI
        case .batchGet: .batchGet
        case .batchDelete: .batchDelete
        case .query: .query
        }
    }

    /// The paths that lead to it, with the name that the document gives each.
    var paths: [(path: String, id: String)] {
        switch self {
        case .sendOobCode: Self.paths("sendOobCode", legacy: "getOobConfirmationCode", project: true)
        case .signInWithEmailLink: Self.paths("signInWithEmailLink", legacy: "emailLinkSignin")
        case .resetPassword: Self.paths("resetPassword", legacy: "resetPassword")
        case .signUp: Self.paths("signUp", legacy: "signupNewUser") + [("/v1/projects/{project}/accounts", "projects.signUp")]
        case .lookup: Self.paths("lookup", legacy: "getAccountInfo", project: true)
        case .delete: Self.paths("delete", legacy: "deleteAccount", project: true)
        case .update: Self.paths("update", legacy: "setAccountInfo", project: true)
        case .signInWithPassword: Self.paths("signInWithPassword", legacy: "verifyPassword")
        case .signInWithCustomToken: Self.paths("signInWithCustomToken", legacy: "verifyCustomToken")
        case .signOutUser: Self.paths("signOutUser", legacy: "signOutUser", unscoped: false)
        case .createAuthURI: Self.paths("createAuthUri", legacy: "createAuthUri")
        case .batchGet: Self.paths("batchGet", legacy: "downloadAccount", unscoped: false, project: true)
        case .batchDelete: Self.paths("batchDelete", unscoped: false, project: true)
        case .query:
            Self.paths("query", unscoped: false, project: true) + [("/v1/projects/{project}:queryAccounts", "projects.queryAccounts")]
        }
    }

    private static func paths(
        _ name: String, legacy: String? = nil, unscoped: Bool = true, project: Bool = false
    ) -> [(path: String, id: String)] {
        var paths: [(path: String, id: String)] = []
        if unscoped { paths.append(("/v1/accounts:" + name, name)) }
        if project { paths.append(("/v1/projects/{project}/accounts:" + name, "projects." + name)) }
        if let legacy { paths.append(("/identitytoolkit/v3/relyingparty/" + legacy, "v3." + legacy)) }
        return paths
    }
}
