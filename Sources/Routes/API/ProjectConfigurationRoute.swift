internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform
internal import Templating

/// `GET v2/projects/{p}/config`: what a project allows, for administrators (wire-contract.md §15); `PATCH` changes some of it, in `dev` and where
/// the configuration says `configInDatabase`.
struct ProjectConfigurationRoute: Sendable {
    let directory: ProjectDirectory
    let overrides: ProjectOverridesDirectory

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        let current = try call.project()
        guard call.request.method == .patch else { return answer(current) }
        guard overrides.allowsChanges(of: current.id) else {
            throw .refused(
                "OPERATION_NOT_ALLOWED : The configuration file decides; with configInDatabase in this project's entry administrators do.")
        }
        do {
            try await overrides.change(try changes(call), project: current.id)
        } catch let error as StoreError {
            throw APIError(error)
        } catch let error as APIError {
            throw error
        } catch {
            throw .unavailable(cause: "\(error)")
        }
        guard let project = directory.project(id: current.id) else { throw .refused("PROJECT_NOT_FOUND") }
        return answer(project)
    }

    /// What `updateMask` names, or without one what the body holds; what is named and not in the body goes back to its configuration.
    /// Nothing is changed when anything is refused.
    private func changes(_ call: APICall) throws(APIError) -> [(ProjectSetting, ProjectSettingValue?)] {
        let mask = call.request.queryItems().filter { $0.name == "updateMask" }.compactMap(\.value)
            .flatMap { $0.split(separator: ",").map(String.init) }
        var changes: [(ProjectSetting, ProjectSettingValue?)] = []
        for setting in ProjectSetting.allCases {
            let path = setting.rawValue
            let value = try Self.value(of: setting, in: call.fields)
            let isNamed = mask.contains { path == $0 || path.hasPrefix($0 + ".") }
            if mask.isEmpty ? value != nil : isNamed { changes.append((setting, value)) }
        }
        for name in mask where !ProjectSetting.allCases.contains(where: { $0.rawValue == name || $0.rawValue.hasPrefix(name + ".") }) {
            throw .refused("INVALID_CONFIG : \(name.prefix(100)) cannot be changed here.")
        }
        return changes
    }

    private static func value(of setting: ProjectSetting, in fields: RequestFields) throws(APIError) -> ProjectSettingValue? {
        let names = setting.rawValue.split(separator: ".").map(String.init)
        var object: RequestFields? = fields
        for name in names.dropLast() { object = try object?.object(name) }
        guard let name = names.last else { return nil }
        switch setting {
        case .emailPrivacy, .emailSignIn, .passwordRequired, .signUpDisabled: return try object?.bool(name).map { .flag($0) }
        case .authorizedDomains:
            guard let hosts = try object?.strings(name) else { return nil }
            for host in hosts where !isHost(host) { throw .refused("INVALID_CONFIG : \(host.prefix(100)) is not a host name.") }
            return .texts(hosts.map { $0.lowercased() })
        case .defaultLocale:
            guard let locale = try object?.string(name) else { return nil }
            guard LanguageTag.isWellFormed(locale) else { throw .refused("INVALID_CONFIG : \(locale.prefix(100)) is not a language tag.") }
            return .text(locale)
        }
    }

    /// As in the configuration file: a name without wildcard and port, or an address.
    private static func isHost(_ text: String) -> Bool {
        IPAddress(text) != nil || HostName(text)?.text == text.lowercased()
    }

    private func answer(_ project: Project) -> HTTPResponse {
        let policy = project.accounts
        let domains: [String] =
            switch project.authorizedDomains {
            case .listed(let hosts): hosts.sorted()
            case .any: ["localhost", "127.0.0.1"]
            }
        return APIResponse.success([
            ("name", .string("projects/\(project.id)/config")),
            (
                "signIn",
                .object([
                    (
                        "email",
                        .object([
                            ("enabled", .bool(policy.passwordSignIn || project.emailLinkSignIn)),
                            // Google's word for "no sign-in by link".
                            ("passwordRequired", .bool(!project.emailLinkSignIn)),
                        ])
                    ), ("anonymous", .object([("enabled", .bool(policy.allowSignUp))])), ("allowDuplicateEmails", .bool(false)),
                ])
            ),
            ("authorizedDomains", .strings(domains)),
            ("emailPrivacyConfig", .object([("enableImprovedEmailPrivacy", .bool(policy.emailPrivacy))])),
            (
                "client",
                .object([
                    ("apiKey", .optional(project.apiKeys.first)),
                    (
                        "permissions",
                        .object([("disabledUserSignup", .bool(!policy.allowSignUp)), ("disabledUserDeletion", .bool(false))])
                    ),
                ])
            ),
            ("mobileLinksConfig", .object([("domain", .string("HOSTING_DOMAIN"))])),
            (
                "passwordPolicyConfig",
                .object([
                    ("passwordPolicyEnforcementState", .string("ENFORCE")),
                    (
                        "passwordPolicyVersions",
                        .array([
                            .object([
                                ("customStrengthOptions", .object([("minPasswordLength", .int(PasswordHashing.minimumLength))]))
                            ])
                        ])
                    ),
                ])
            ),
            (
                "notification",
                .object([
                    (
                        "sendEmail",
                        .object([
                            ("method", .string("CUSTOM_SMTP")), ("callbackUri", .string(project.actionBase)),
                        ])
                    ), ("defaultLocale", .string(project.defaultLocale)),
                ])
            ),
        ])
    }
}
