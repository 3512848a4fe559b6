internal import Accounts
internal import ActionCodes
internal import HTTP

/// `GET v2/projects/{p}/config`: what a project allows, for administrators (wire-contract.md §15); `PATCH` switches some of it in `dev`.
struct ProjectConfigurationRoute: Sendable {
    let directory: ProjectDirectory
    /// What `dev` can switch; nil in `serve`.
    let overrides: DevelopmentOverrides?

    /// The settings that can be switched, by their path.
    private static let switches: [(path: String, value: DevelopmentOverrides.Switch)] = [
        ("emailPrivacyConfig.enableImprovedEmailPrivacy", .emailPrivacy), ("signIn.email.enabled", .emailSignIn),
        ("signIn.email.passwordRequired", .passwordRequired),
    ]

    func respond(to call: APICall) throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        let current = try call.project()
        guard call.request.method == .patch else { return answer(current) }
        guard let overrides else {
            throw .refused("OPERATION_NOT_ALLOWED : The configuration file decides; this project is read-only.")
        }
        try change(call, of: current.id, overrides)
        guard let project = directory.project(id: current.id) else { throw .refused("PROJECT_NOT_FOUND") }
        return answer(project)
    }

    /// Changes what `updateMask` names, or without one what the body holds; what is named and not in the body goes back to its
    /// configuration. Nothing is changed when anything is refused.
    private func change(_ call: APICall, of project: String, _ overrides: DevelopmentOverrides) throws(APIError) {
        let mask = call.request.queryItems().filter { $0.name == "updateMask" }.compactMap(\.value)
            .flatMap { $0.split(separator: ",").map(String.init) }
        var changes: [(DevelopmentOverrides.Switch, Bool?)] = []
        for (path, setting) in Self.switches {
            let value = try Self.value(at: path, in: call.fields)
            let isNamed = mask.contains { path == $0 || path.hasPrefix($0 + ".") }
            if mask.isEmpty ? value != nil : isNamed { changes.append((setting, value)) }
        }
        for name in mask where !Self.switches.contains(where: { $0.path == name || $0.path.hasPrefix(name + ".") }) {
            throw .refused("INVALID_CONFIG : \(name.prefix(100)) cannot be changed here.")
        }
        overrides.set(changes, project: project)
    }

    private static func value(at path: String, in fields: RequestFields) throws(APIError) -> Bool? {
        let names = path.split(separator: ".").map(String.init)
        var object: RequestFields? = fields
        for name in names.dropLast() { object = try object?.object(name) }
        return try names.last.flatMap { name throws(APIError) in try object?.bool(name) }
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
