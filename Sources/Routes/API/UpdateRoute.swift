internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// `POST accounts:update`, in v3 `setAccountInfo`: completes a code, or changes an account (wire-contract.md §8).
struct UpdateRoute: Sendable {
    let applyActionCode: ApplyActionCode

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let oobCode = try call.fields.string("oobCode") ?? ""
        guard !oobCode.isEmpty else { throw .notFound }
        try check(call)
        let answer: ApplyActionCode.Answer
        do { answer = try await applyActionCode(oobCode, project: call.project) } catch { throw APIError(error) }
        return APIResponse.success(Self.members(of: answer.user) + [("newEmail", .optional(answer.newEmail?.text))])
    }

    /// What is refused before the code is looked at. With a code every other change is ignored, `returnSecureToken` of the iOS SDK too.
    private func check(_ call: APICall) throws(APIError) {
        for name in ["provider", "upgradeToFederatedLogin"] where call.fields.has(name) { throw .notImplemented(name) }
        if call.caller.isPrivileged {
            guard let id = try call.fields.string("localId"), !id.isEmpty else { throw .refused("MISSING_LOCAL_ID") }
        } else if call.fields.has("customAttributes") {
            throw .refused("INSUFFICIENT_PERMISSION")
        }
    }

    /// The account in the answer's order.
    private static func members(of user: User) -> [(String, JSON?)] {
        [
            ("kind", .string("identitytoolkit#SetAccountInfoResponse")), ("localId", .string(user.id)),
            ("emailVerified", .bool(user.emailVerified)), ("providerUserInfo", .array(user.providers)),
            ("email", .optional(user.email?.text)), ("displayName", .optional(user.displayName)), ("photoUrl", .optional(user.photoURL)),
            // As in lookup: only that there is one.
            ("passwordHash", user.passwordHash == nil ? nil : .string("UkVEQUNURUQ=")),
        ]
    }
}
