internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform

/// The emulator's extras (wire-contract.md §16), for tests of apps; no credentials, hence in `dev` only.
struct EmulatorRoutes: Sendable {
    let directory: ProjectDirectory
    let store: any Store
    let keys: KeyRing
    let clock: WallClock
    let overrides: ProjectOverridesDirectory

    func greeting() -> HTTPResponse {
        APIResponse.success([
            ("authEmulator", .object([("ready", .bool(true)), ("docs", .string("/_postern/"))]))
        ])
    }

    /// The live codes of a project that somebody could have been mailed, oldest first.
    func oobCodes(_ id: String) async throws(APIError) -> HTTPResponse {
        let project = try project(id)
        let now = clock.now()
        let codes: [ActionCode]
        do {
            codes = try await store.read { reader throws(StoreError) in
                // As the emulator, which makes no code for an unknown address.
                var codes: [ActionCode] = []
                for code in try reader.liveActionCodes(project: project.id, now: now)
                where try ActionCodeSubject(of: code, in: reader).reasonToDrop(code, project: project) == nil { codes.append(code) }
                return codes
            }
        } catch {
            throw APIError(error)
        }
        let items = codes.map { code in
            JSON.object([
                ("email", .string(code.email.text)), ("newEmail", .optional(code.newEmail?.text)),
                ("requestType", .string(code.operation.requestType)), ("oobCode", .string(OOBCode.text(for: code, keys: keys))),
                ("oobLink", .string(ActionLink.text(for: code, project: project, keys: keys))),
            ])
        }
        return APIResponse.success([("oobCodes", .array(items))])
    }

    /// Wipes a project's accounts; its codes stay, as they do in the emulator.
    func deleteAccounts(_ id: String) async throws(APIError) -> HTTPResponse {
        let project = try project(id)
        do {
            try await store.write { transaction throws(StoreError) in try transaction.deleteAllUsers(project: project.id) }
        } catch {
            throw APIError(error)
        }
        return APIResponse.success([])
    }

    /// The settings that the emulator knows; PATCH changes what is present.
    func configuration(_ id: String, _ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        if request.method == .patch {
            let fields = try RequestFields(request.body)
            if let duplicates = try fields.object("signIn")?.bool("allowDuplicateEmails"), duplicates {
                throw .refused("INVALID_CONFIG : One account per e-mail address is the only mode.")
            }
            if let privacy = try fields.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy") {
                try await switchPrivacy(privacy, project: try project(id).id)
            }
        }
        let project = try project(id)
        return APIResponse.success([
            ("signIn", .object([("allowDuplicateEmails", .bool(false))])),
            ("emailPrivacyConfig", .object([("enableImprovedEmailPrivacy", .bool(project.accounts.emailPrivacy))])),
        ])
    }

    private func switchPrivacy(_ on: Bool, project: String) async throws(APIError) {
        do {
            try await overrides.change([(.emailPrivacy, .flag(on))], project: project)
        } catch {
            throw APIError(error)
        }
    }

    private func project(_ id: String) throws(APIError) -> Project {
        guard let project = directory.project(id: id) else { throw .refused("PROJECT_NOT_FOUND") }
        return project
    }
}
