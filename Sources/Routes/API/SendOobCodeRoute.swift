internal import ActionCodes
internal import HTTP
internal import Templating

/// `POST accounts:sendOobCode`, in v3 `getOobConfirmationCode` (wire-contract.md §4).
struct SendOobCodeRoute: Sendable {
    let sendOobCode: SendOobCode

    /// Google's names and numbers; the first group makes a mail, the second is known and not offered.
    private static let types: [(name: String, number: Int, value: RequestType)] = [
        ("OOB_REQ_TYPE_UNSPECIFIED", 0, .unspecified), ("PASSWORD_RESET", 1, .operation(.resetPassword)),
        ("OLD_EMAIL_AGREE", 2, .internalOnly("OLD_EMAIL_AGREE")), ("NEW_EMAIL_ACCEPT", 3, .internalOnly("NEW_EMAIL_ACCEPT")),
        ("VERIFY_EMAIL", 4, .operation(.verifyEmail)), ("RECOVER_EMAIL", 5, .internalOnly("RECOVER_EMAIL")),
        ("EMAIL_SIGNIN", 6, .operation(.signIn)), ("VERIFY_AND_CHANGE_EMAIL", 7, .operation(.verifyAndChangeEmail)),
        ("REVERT_SECOND_FACTOR_ADDITION", 8, .internalOnly("REVERT_SECOND_FACTOR_ADDITION")),
    ]

    private enum RequestType: Sendable {
        case unspecified
        case operation(Operation)
        case internalOnly(String)
    }

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let request = try read(call)
        let project = try call.project()
        let answer: SendOobCode.Answer
        do { answer = try await sendOobCode(request, project: project) } catch { throw APIError(error) }
        return APIResponse.success([
            ("kind", .string("identitytoolkit#GetOobConfirmationCodeResponse")), ("email", .string(answer.email)),
            ("oobCode", .optional(answer.oobCode)), ("oobLink", .optional(answer.oobLink)),
        ])
    }

    private func read(_ call: APICall) throws(APIError) -> SendOobCodeRequest {
        let fields = call.fields
        var request = SendOobCodeRequest()
        let type = try fields.value("requestType", of: Self.types)
        request.email = try fields.string("email")
        request.newEmail = try fields.string("newEmail")
        request.idToken = try fields.string("idToken")
        request.continueURL = try fields.string("continueUrl")
        request.canHandleCodeInApp = try fields.bool("canHandleCodeInApp") ?? false
        request.iOSBundleID = try fields.string("iOSBundleId", "iosBundleId")
        request.iOSAppStoreID = try fields.string("iOSAppStoreId", "iosAppStoreId")
        request.androidPackageName = try fields.string("androidPackageName")
        request.androidInstallApp = try fields.bool("androidInstallApp") ?? false
        request.androidMinimumVersion = try fields.string("androidMinimumVersion", "androidMinimumVersionCode")
        request.linkDomain = try fields.string("linkDomain")
        request.dynamicLinkDomain = try fields.string("dynamicLinkDomain")
        request.returnOobLink = try fields.bool("returnOobLink") ?? false
        request.isPrivileged = call.caller.isPrivileged
        request.client = call.client
        if case .key(let key) = call.caller { request.apiKey = key }
        request.locale = call.locale
        if let header = call.request.headers["Accept-Language"] { request.acceptedLanguages = LanguageTag.parse(acceptLanguage: header) }
        switch type {
        case nil, .unspecified: request.operation = nil
        case .operation(let operation): request.operation = operation
        case .internalOnly(let name): request.closedType = name
        }
        return request
    }
}
