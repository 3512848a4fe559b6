internal import HTTP

/// The operations of Identity Toolkit, each in a file of its own.
final class APIRoutes: Sendable {
    let sendOobCode: SendOobCodeRoute
    let signInWithEmailLink: SignInWithEmailLinkRoute
    let resetPassword: ResetPasswordRoute
    let signUp: SignUpRoute
    let lookup: LookupRoute
    let delete: DeleteRoute
    let update: UpdateRoute
    let signInWithPassword: SignInWithPasswordRoute
    let createAuthURI: CreateAuthURIRoute
    let batchGet: ListAccountsRoute
    let batchDelete: DeleteAccountsRoute
    let query: QueryAccountsRoute

    init(
        sendOobCode: SendOobCodeRoute, signInWithEmailLink: SignInWithEmailLinkRoute, resetPassword: ResetPasswordRoute,
        signUp: SignUpRoute, lookup: LookupRoute, delete: DeleteRoute, update: UpdateRoute, signInWithPassword: SignInWithPasswordRoute,
        createAuthURI: CreateAuthURIRoute, batchGet: ListAccountsRoute, batchDelete: DeleteAccountsRoute, query: QueryAccountsRoute
    ) {
        self.sendOobCode = sendOobCode
        self.signInWithEmailLink = signInWithEmailLink
        self.resetPassword = resetPassword
        self.signUp = signUp
        self.lookup = lookup
        self.delete = delete
        self.update = update
        self.signInWithPassword = signInWithPassword
        self.createAuthURI = createAuthURI
        self.batchGet = batchGet
        self.batchDelete = batchDelete
        self.query = query
    }

    func respond(to operation: APIOperation, _ call: APICall) async throws(APIError) -> HTTPResponse {
        switch operation {
        case .sendOobCode: try await sendOobCode.respond(to: call)
        case .signInWithEmailLink: try await signInWithEmailLink.respond(to: call)
        case .resetPassword: try await resetPassword.respond(to: call)
        case .signUp: try await signUp.respond(to: call)
        case .lookup: try await lookup.respond(to: call)
        case .delete: try await delete.respond(to: call)
        case .update: try await update.respond(to: call)
        case .signInWithPassword: try await signInWithPassword.respond(to: call)
        case .signInWithCustomToken:
            // The checks that come before every operation are told all the same.
            _ = try call.project()
            throw .notImplemented("signInWithCustomToken")
        case .signOutUser:
            _ = try call.project()
            throw .notImplemented("signOutUser")
        case .createAuthURI: try await createAuthURI.respond(to: call)
        case .batchGet: try await batchGet.respond(to: call)
        case .batchDelete: try await batchDelete.respond(to: call)
        case .query: try await query.respond(to: call)
        }
    }
}
