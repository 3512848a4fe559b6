/// The OpenAPI 3.1 description of every JSON route, made from the same enum that the router switches over (interface.md §3).
struct OpenAPIDocument: Sendable {
    /// Compact JSON, the same on every run.
    let bytes: [UInt8]

    /// Renders it once. `isDevelopment` adds what only `dev` answers.
    init(isDevelopment: Bool) {
        bytes = Self.document(isDevelopment: isDevelopment).compact
    }

    private static func document(isDevelopment: Bool) -> JSON {
        var paths: [(String, JSON?)] = []
        for operation in APIOperation.all {
            for (path, id) in operation.paths { paths.append((path, .object([item(operation, path: path, id: id)]))) }
        }
        paths += otherPaths
        if isDevelopment { paths += developmentPaths }
        return .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Postern")), ("version", .string("1")),
                    (
                        "description",
                        .string(
                            "E-mail action codes and accounts, as Firebase Authentication's REST protocol has them. Members may be written "
                                + "in snake_case too, a number may stand in a string's place, null means absent, and members that are not "
                                + "described are ignored. An error's `message` is a code, or a code and a detail after ` : `.")
                    ),
                ])
            ),
            // SDKs in emulator mode put Google's host names in front of the path.
            (
                "servers",
                .array(
                    ["/", "/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"].map { url in
                        .object([("url", .string(url))])
                    })
            ),
            ("paths", .object(paths)),
            ("components", .object([("schemas", schemas), ("securitySchemes", securitySchemes)])),
        ])
    }

    // MARK: Operations

    private static func item(_ operation: APIOperation, path: String, id: String) -> (String, JSON?) {
        let description = operation.description
        let isInPath = path.contains("{project}")
        // v3 takes its parameters in the body, whatever the verb.
        let isQuery = operation == .batchGet && isInPath
        let request = (isQuery ? [] : OperationDescription.commonRequest) + description.request
        var parameters: [JSON] = isInPath ? [projectParameter] : []
        if isQuery { parameters += description.request.map { parameter($0.0, in: "query", schema: $0.1) } }
        let errors = OperationDescription.commonErrors + description.errors
        let security =
            description.isPrivileged || isInPath ? [requirement("adminToken")] : ["apiKey", "apiKeyHeader", "adminToken"].map(requirement)
        let responses =
            [
                success(Schema.object(description.response)),
                ("400", refusal(errors)),
            ] + [401, 403, 413].map { (String($0), envelope($0)) }
            + (description.notImplemented.isEmpty
                ? [] : [("501", response("Not offered: " + description.notImplemented, Schema.reference("Error")))])
            + [("503", envelope(503))]
        return (
            isQuery ? "get" : "post",
            .object([
                ("operationId", .string(id)), ("summary", .string(description.summary)), ("tags", .strings(["accounts"])),
                ("security", .array(security)), ("parameters", parameters.isEmpty ? nil : .array(parameters)),
                ("requestBody", isQuery ? nil : body(Schema.object(request.map { ($0.0 + "?", $0.1) }), types: ["application/json"])),
                ("responses", .object(responses)),
            ])
        )
    }

    // MARK: Parts

    static let projectParameter = JSON.object([
        ("name", .string("project")), ("in", .string("path")), ("required", .bool(true)),
        ("schema", .object([("type", .string("string")), ("pattern", .string("^[a-z0-9][a-z0-9-]{0,62}$"))])),
    ])

    static func parameter(_ name: String, in place: String, schema: JSON) -> JSON {
        .object([("name", .string(name)), ("in", .string(place)), ("schema", schema)])
    }

    static func requirement(_ name: String) -> JSON { .object([(name, .array([]))]) }

    static func body(_ schema: JSON, types: [String]) -> JSON {
        .object([("content", .object(types.map { ($0, .object([("schema", schema)])) }))])
    }

    static func response(_ description: String, _ schema: JSON, type: String = "application/json") -> JSON {
        .object([("description", .string(description)), ("content", .object([(type, .object([("schema", schema)]))]))])
    }

    static func success(_ schema: JSON) -> (String, JSON?) { ("200", response("Success", schema)) }

    /// A 400 with its codes: as a list for people, as a pattern for programs.
    static func refusal(_ codes: [String]) -> JSON {
        var seen: Set<String> = []
        let codes = codes.filter { seen.insert($0).inserted }
        let sentences = ["API key not valid\\. .+", "Invalid JSON payload received\\. .+", "Invalid content-type: .*", "Bad Request"]
        let pattern = "^(" + (codes.map { $0 + "( : .+)?" } + sentences).joined(separator: "|") + ")$"
        let message = JSON.object([("properties", .object([("message", .object([("pattern", .string(pattern))]))]))])
        return .object([
            ("description", .string("Refused: " + codes.joined(separator: ", "))), ("x-error-codes", .strings(codes)),
            (
                "content",
                .object([
                    (
                        "application/json",
                        .object([
                            (
                                "schema",
                                .object([
                                    (
                                        "allOf",
                                        .array([Schema.reference("Error"), .object([("properties", .object([("error", message)]))])])
                                    )
                                ])
                            )
                        ])
                    )
                ])
            ),
        ])
    }

    static func envelope(_ status: Int) -> JSON {
        let descriptions = [
            401: "A Bearer token that is not privileged", 403: "No API key and no other credential", 404: "Not found",
            413: "The body is longer than 1 MiB", 503: "The database is out of order; try again",
        ]
        return response(descriptions[status] ?? "Refused", Schema.reference("Error"))
    }

    // MARK: Components

    private static let securitySchemes = JSON.object([
        ("apiKey", .object([("type", .string("apiKey")), ("name", .string("key")), ("in", .string("query"))])),
        ("apiKeyHeader", .object([("type", .string("apiKey")), ("name", .string("x-goog-api-key")), ("in", .string("header"))])),
        ("adminToken", .object([("type", .string("http")), ("scheme", .string("bearer"))])),
    ])

    private static let schemas = JSON.object([
        (
            "Error",
            Schema.object([
                (
                    "error",
                    Schema.object([
                        ("code", Schema.integer), ("message", Schema.string),
                        (
                            "errors",
                            Schema.list(
                                of: Schema.object([
                                    ("message", Schema.string), ("reason", Schema.string), ("domain?", Schema.string),
                                    ("location?", Schema.string), ("locationType?", Schema.string),
                                ]))
                        ), ("status?", Schema.string),
                    ])
                )
            ])
        ),
        (
            "ProviderUserInfo",
            Schema.object([
                ("providerId", Schema.string), ("rawId", Schema.string), ("federatedId?", Schema.string), ("email?", Schema.string),
                ("phoneNumber?", Schema.string), ("displayName?", Schema.string), ("photoUrl?", Schema.string),
            ])
        ),
        (
            "User",
            Schema.object([
                ("localId", Schema.string), ("email?", Schema.string), ("emailVerified", Schema.boolean), ("displayName?", Schema.string),
                ("photoUrl?", Schema.string), ("passwordHash?", Schema.string), ("passwordUpdatedAt?", Schema.integer),
                ("phoneNumber?", Schema.string), ("providerUserInfo?", Schema.list(of: Schema.reference("ProviderUserInfo"))),
                ("validSince?", Schema.int64), ("disabled?", Schema.boolean), ("lastLoginAt?", Schema.int64), ("createdAt", Schema.int64),
                ("lastRefreshAt?", Schema.string), ("emailLinkSignin?", Schema.boolean), ("initialEmail?", Schema.string),
                ("customAttributes?", Schema.string),
            ])
        ),
        ("ProjectConfiguration", projectConfiguration),
    ])

    private static let projectConfiguration = Schema.object([
        ("name", Schema.string),
        (
            "signIn",
            Schema.object([
                ("email", Schema.object([("enabled", Schema.boolean), ("passwordRequired", Schema.boolean)])),
                ("anonymous", Schema.object([("enabled", Schema.boolean)])), ("allowDuplicateEmails", Schema.boolean),
            ])
        ), ("authorizedDomains", Schema.strings),
        ("emailPrivacyConfig", Schema.object([("enableImprovedEmailPrivacy", Schema.boolean)])),
        (
            "client",
            Schema.object([
                ("apiKey?", Schema.string),
                ("permissions", Schema.object([("disabledUserSignup", Schema.boolean), ("disabledUserDeletion", Schema.boolean)])),
            ])
        ), ("mobileLinksConfig", Schema.object([("domain", Schema.string)])),
        (
            "passwordPolicyConfig",
            Schema.object([
                ("passwordPolicyEnforcementState", Schema.string),
                (
                    "passwordPolicyVersions",
                    Schema.list(
                        of: Schema.object([("customStrengthOptions", Schema.object([("minPasswordLength", Schema.integer)]))]))
                ),
            ])
        ),
        (
            "notification",
            Schema.object([
                ("sendEmail", Schema.object([("method", Schema.string), ("callbackUri", Schema.string)])), ("defaultLocale", Schema.string),
            ])
        ),
    ])
}
