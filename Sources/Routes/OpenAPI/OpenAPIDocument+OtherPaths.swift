extension OpenAPIDocument {
    /// What everybody answers besides the operations.
    static let otherPaths: [(String, JSON?)] =
        [
            ("/v1/token", path([("post", token)])),
            ("/v1/projects", path([("get", publicConfiguration("projects"))])),
            ("/identitytoolkit/v3/relyingparty/getProjectConfig", path([("get", publicConfiguration("v3.getProjectConfig"))])),
        ]
        + [("/v2/projects/{project}/config", ""), ("/admin/v2/projects/{project}/config", "admin.")].map { path, prefix in
            (path, Self.path([("get", readConfiguration(prefix)), ("patch", changeConfiguration(prefix))]))
        }
        + [
            ("/v2/projects/{project}/suppressions", path([("get", suppressions)])),
            ("/v2/projects/{project}/suppressions/{address}", path([("delete", releaseSuppression)])),
            ("/.well-known/jwks.json", path([("get", keys("jwks", "The keys that verify ID tokens", jwks))])),
            (
                "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
                path([("get", keys("google.jwks", "The same where Google has it", jwks))])
            ),
            (
                "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
                path([("get", keys("google.x509", "Certificates by key id", Schema.map(of: Schema.string)))])
            ),
            ("/.well-known/openid-configuration", path([("get", discovery)])),
            ("/healthz", path([("get", liveness)])), ("/readyz", path([("get", readiness)])),
            ("/openapi.json", path([("get", operation("openapi", "This document", [success(Schema.map(of: .bool(true)))]))])),
        ]

    /// What `dev` answers besides.
    static let developmentPaths: [(String, JSON?)] = [
        ("/", path([("get", operation("emulator.greeting", "Tells tools that this is an emulator", [success(greeting)]))])),
        (
            "/emulator/v1/projects/{project}/oobCodes",
            path([
                (
                    "get",
                    operation(
                        "emulator.oobCodes", "The live codes, oldest first",
                        [success(Schema.object([("oobCodes", Schema.list(of: oobCode))])), ("400", refusal(["PROJECT_NOT_FOUND"]))]
                            + failures, parameters: [projectParameter])
                )
            ])
        ),
        (
            "/emulator/v1/projects/{project}/accounts",
            path([
                (
                    "delete",
                    operation(
                        "emulator.deleteAccounts", "Deletes all accounts",
                        [success(Schema.object([])), ("400", refusal(["PROJECT_NOT_FOUND"]))] + failures, parameters: [projectParameter])
                )
            ])
        ),
        (
            "/emulator/v1/projects/{project}/config",
            path([
                ("get", emulatorConfiguration("emulator.config", "What tests can switch", body: nil)),
                (
                    "patch",
                    emulatorConfiguration(
                        "emulator.changeConfig", "Switches what is present",
                        body: Schema.object([
                            ("signIn?", Schema.object([("allowDuplicateEmails?", Schema.boolean)])),
                            ("emailPrivacyConfig?", Schema.object([("enableImprovedEmailPrivacy?", Schema.boolean)])),
                        ]))
                ),
            ])
        ),
        (
            "/_postern/inbox.json",
            path([
                ("get", operation("inbox", "The caught mails, oldest first", [success(Schema.list(of: mail))] + failures)),
                ("delete", operation("inbox.empty", "Empties the inbox", [success(Schema.object([]))] + failures)),
            ])
        ),
    ]

    // MARK: Operations

    private static let token = operation(
        "token", "A fresh ID token for a refresh token",
        [
            success(
                Schema.object([
                    ("access_token", Schema.string), ("expires_in", Schema.int64), ("token_type", Schema.constant("Bearer")),
                    ("refresh_token", Schema.string), ("id_token", Schema.string), ("user_id", Schema.string), ("project_id", Schema.int64),
                ])),
            (
                "400",
                refusal([
                    "INVALID_REFRESH_TOKEN", "MISSING_GRANT_TYPE", "INVALID_GRANT_TYPE", "MISSING_REFRESH_TOKEN", "TOKEN_EXPIRED",
                    "USER_DISABLED", "USER_NOT_FOUND",
                ])
            ),
        ] + failures,
        body: body(
            Schema.object([("grant_type?", Schema.string), ("refresh_token?", Schema.string)]),
            types: ["application/json", "application/x-www-form-urlencoded"]), security: ["apiKey", "apiKeyHeader"])

    private static func publicConfiguration(_ id: String) -> JSON {
        operation(
            id, "What a key's project tells everybody",
            [success(Schema.object([("projectId", Schema.int64), ("authorizedDomains", Schema.strings)])), ("400", refusal([]))]
                + [("401", envelope(401))] + failures, security: ["apiKey", "apiKeyHeader", "adminToken"])
    }

    private static let configurationErrors = [
        "INSUFFICIENT_PERMISSION", "PROJECT_NOT_FOUND", "TENANT_NOT_FOUND", "OPERATION_NOT_ALLOWED", "INVALID_CONFIG",
    ]

    private static func readConfiguration(_ prefix: String) -> JSON {
        operation(
            prefix + "projects.config", "What a project allows",
            [success(Schema.reference("ProjectConfiguration")), ("400", refusal(configurationErrors)), ("401", envelope(401))] + failures,
            parameters: [projectParameter], security: ["adminToken"])
    }

    private static func changeConfiguration(_ prefix: String) -> JSON {
        operation(
            prefix + "projects.changeConfig",
            "Switches what `updateMask` names, or without one what the body holds; what is named and missing goes back to its configuration",
            [success(Schema.reference("ProjectConfiguration")), ("400", refusal(configurationErrors)), ("401", envelope(401))] + failures,
            parameters: [projectParameter, parameter("updateMask", in: "query", schema: Schema.string)],
            body: body(
                Schema.object([
                    ("emailPrivacyConfig?", Schema.object([("enableImprovedEmailPrivacy?", Schema.boolean)])),
                    (
                        "signIn?",
                        Schema.object([
                            ("email?", Schema.object([("enabled?", Schema.boolean), ("passwordRequired?", Schema.boolean)]))
                        ])
                    ),
                ]), types: ["application/json"]), security: ["adminToken"])
    }

    private static let addressParameter = JSON.object([
        ("name", .string("address")), ("in", .string("path")), ("required", .bool(true)), ("schema", Schema.string),
    ])

    private static let suppressionErrors = [
        "INSUFFICIENT_PERMISSION", "PROJECT_NOT_FOUND", "INVALID_EMAIL", "SUPPRESSION_NOT_FOUND",
    ]

    private static let suppressions = operation(
        "projects.suppressions", "The addresses that get no mail, by address",
        [
            success(
                Schema.object([
                    (
                        "suppressions",
                        Schema.list(
                            of: Schema.object([
                                ("email", Schema.string), ("reason", Schema.string), ("detail?", Schema.string), ("since", Schema.string),
                                ("until?", Schema.string),
                            ]))
                    ), ("nextPageToken?", Schema.string),
                ])), ("400", refusal(suppressionErrors)), ("401", envelope(401)),
        ] + failures,
        parameters: [
            projectParameter, parameter("pageSize", in: "query", schema: Schema.integer),
            parameter("pageToken", in: "query", schema: Schema.string),
        ], security: ["adminToken"])

    private static let releaseSuppression = operation(
        "projects.releaseSuppression", "Lets an address have mail again",
        [success(Schema.object([])), ("400", refusal(suppressionErrors)), ("401", envelope(401))] + failures,
        parameters: [projectParameter, addressParameter], security: ["adminToken"])

    private static func keys(_ id: String, _ summary: String, _ schema: JSON) -> JSON { operation(id, summary, [success(schema)]) }

    private static let discovery = operation(
        "openidConfiguration", "Where the keys of a project's ID tokens are",
        [success(Schema.map(of: .bool(true))), ("404", envelope(404))],
        parameters: [parameter("project", in: "query", schema: Schema.string)])

    private static let liveness = operation(
        "healthz", "Whether the process answers", [("200", response("Alive", Schema.constant("ok\n"), type: "text/plain"))])

    private static let readiness: JSON = {
        let schema = Schema.object([("ready", Schema.boolean), ("checks", Schema.map(of: Schema.string))])
        return operation("readyz", "Whether it can work", [success(schema), ("503", response("Not now", schema))])
    }()

    private static func emulatorConfiguration(_ id: String, _ summary: String, body schema: JSON?) -> JSON {
        operation(
            id, summary,
            [
                success(
                    Schema.object([
                        ("signIn", Schema.object([("allowDuplicateEmails", Schema.boolean)])),
                        ("emailPrivacyConfig", Schema.object([("enableImprovedEmailPrivacy", Schema.boolean)])),
                    ])), ("400", refusal(["PROJECT_NOT_FOUND", "INVALID_CONFIG"])),
            ] + failures, parameters: [projectParameter], body: schema.map { body($0, types: ["application/json"]) })
    }

    // MARK: Schemas

    private static let jwks = Schema.object([
        (
            "keys",
            Schema.list(
                of: Schema.object([
                    ("kty", Schema.string), ("kid", Schema.string), ("use", Schema.string), ("alg", Schema.string), ("n?", Schema.string),
                    ("e?", Schema.string), ("crv?", Schema.string), ("x?", Schema.string), ("y?", Schema.string),
                ]))
        )
    ])

    private static let greeting = Schema.object([("authEmulator", Schema.object([("ready", Schema.boolean), ("docs", Schema.string)]))])

    private static let oobCode = Schema.object([
        ("email", Schema.string), ("newEmail?", Schema.string), ("requestType", Schema.string), ("oobCode", Schema.string),
        ("oobLink", Schema.string),
    ])

    private static let mail = Schema.object([
        ("id", Schema.string), ("project", Schema.string), ("from", Schema.string), ("to", Schema.string), ("subject", Schema.string),
        ("receivedAt", Schema.string), ("headers", Schema.map(of: Schema.string)), ("text?", Schema.string), ("html?", Schema.string),
        ("link?", Schema.string),
    ])

    // MARK: Parts

    /// What may happen anywhere: a foreign Host in `dev` or a missing key, a long body, a database that is out of order.
    private static let failures: [(String, JSON?)] = [403, 413, 503].map { (String($0), envelope($0)) }

    private static func path(_ operations: [(String, JSON)]) -> JSON { .object(operations.map { ($0.0, $0.1) }) }

    private static func operation(
        _ id: String, _ summary: String, _ responses: [(String, JSON?)], parameters: [JSON] = [], body: JSON? = nil,
        security: [String] = []
    ) -> JSON {
        .object([
            ("operationId", .string(id)), ("summary", .string(summary)),
            ("security", security.isEmpty ? nil : .array(security.map(requirement))),
            ("parameters", parameters.isEmpty ? nil : .array(parameters)), ("requestBody", body), ("responses", .object(responses)),
        ])
    }
}
