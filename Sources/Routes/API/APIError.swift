internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail

/// The one place where errors become HTTP (wire-contract.md §2).
enum APIError: Error, Sendable {
    /// A business refusal with its code on the wire.
    case refused(String)
    /// A limit is reached; how long until another try is worth it.
    case tooManyAttempts(retryAfter: Duration)
    /// The body is not JSON.
    case invalidJSON
    /// A member of the body has the wrong type.
    case schema(pointer: String, expected: String)
    /// Neither JSON nor, where allowed, a form.
    case contentType(String)
    /// No API key and no other credential.
    case missingAPIKey
    /// An API key that no project has.
    case invalidAPIKey
    /// A Bearer token that is not an admin token.
    case invalidCredentials
    /// No such route.
    case notFound
    /// The route exists, but not for this verb.
    case methodNotAllowed(String, path: String, allowed: [String])
    /// Not a request that can be understood.
    case badRequest
    /// The body is longer than 1 MiB.
    case tooLarge
    /// `dev` was called by a name that is not this machine's: DNS rebinding.
    case foreignHost
    /// Belongs to a later release.
    case notImplemented(String)
    /// The store is out of order; the client may try again. `cause` is for the log.
    case unavailable(cause: String)
    /// A defect of ours. `cause` is for the log.
    case failed(cause: String)

    init(_ error: ActionCodeError) {
        switch error {
        case .notImplemented(let requestType): self = .notImplemented(requestType)
        case .store(let error): self = APIError(error)
        case .account(let error): self = APIError(error)
        case .tooManyAttempts(let retryAfter): self = .tooManyAttempts(retryAfter: retryAfter)
        default: self = error.code.map { .refused($0) } ?? .failed(cause: "an error without a code")
        }
    }

    init(_ error: StoreError) {
        switch error {
        case .unavailable(let cause): self = .unavailable(cause: cause)
        case .stopped: self = .unavailable(cause: "the store was stopped")
        }
    }

    /// What the log holds; nil for refusals, which are the client's business.
    var cause: String? {
        switch self {
        case .unavailable(let cause), .failed(let cause): cause
        default: nil
        }
    }

    /// The answer.
    var response: HTTPResponse {
        switch self {
        case .refused(let code): Self.envelope(400, code, reason: "invalid")
        case .tooManyAttempts(let retryAfter): Self.tooManyAttempts(retryAfter)
        case .invalidJSON:
            Self.envelope(400, "Invalid JSON payload received. Syntax error.", reason: "parseError", status: "INVALID_ARGUMENT")
        case .schema(let pointer, let expected):
            Self.envelope(
                400, "Invalid JSON payload received. \(pointer.isEmpty ? "The body" : pointer) must be \(expected)", reason: "invalid",
                status: "INVALID_ARGUMENT")
        case .contentType(let type):
            Self.envelope(400, "Invalid content-type: \(type)", reason: "unknown", domain: nil)
        case .missingAPIKey:
            Self.envelope(403, "The request is missing a valid API key.", reason: "forbidden", status: "PERMISSION_DENIED")
        case .invalidAPIKey:
            Self.envelope(400, "API key not valid. Please pass a valid API key.", reason: "badRequest", status: "INVALID_ARGUMENT")
        case .invalidCredentials:
            Self.respond(
                401,
                .object([
                    ("code", .int(401)), ("message", .string(Self.invalidCredentialsText)),
                    (
                        "errors",
                        .array([
                            .object([
                                ("message", .string("Invalid Credentials")), ("domain", .string("global")),
                                ("reason", .string("authError")),
                                ("location", .string("Authorization")), ("locationType", .string("header")),
                            ])
                        ])
                    ), ("status", .string("UNAUTHENTICATED")),
                ]))
        case .notFound: Self.envelope(404, "Not Found", reason: "notFound", domain: nil, status: "NOT_FOUND")
        case .methodNotAllowed(let method, let path, let allowed):
            // Not the envelope (wire-contract.md §2). The query is left out, since it may hold the key.
            HTTPResponse(
                status: 405,
                headers: HTTPHeaders([("Content-Type", "application/json; charset=utf-8"), ("Allow", allowed.joined(separator: ", "))]),
                body: .bytes(JSON.object([("message", .string("Method \(method) not allowed for \(path)"))]).compact))
        case .badRequest: Self.envelope(400, "Bad Request", reason: "badRequest", status: "INVALID_ARGUMENT")
        case .tooLarge:
            Self.envelope(
                413, "Request payload size exceeds the limit: 1048576 bytes.", reason: "uploadTooLarge", status: "INVALID_ARGUMENT")
        case .foreignHost:
            Self.envelope(
                403, "postern dev answers loopback host names only, and those in its configuration.", reason: "forbidden",
                status: "PERMISSION_DENIED")
        case .notImplemented(let what): Self.envelope(501, what, reason: "unimplemented", status: "NOT_IMPLEMENTED")
        case .unavailable:
            Self.envelope(503, "The service is currently unavailable.", reason: "backendError", status: "UNAVAILABLE")
        case .failed: Self.envelope(500, "Internal error encountered.", reason: "backendError", status: "INTERNAL")
        }
    }

    private static let invalidCredentialsText =
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication "
        + "credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."

    /// A business refusal like any other (wire-contract.md §19), with whole seconds to wait (RFC 9110 §10.2.3).
    private static func tooManyAttempts(_ retryAfter: Duration) -> HTTPResponse {
        var response = envelope(400, "TOO_MANY_ATTEMPTS_TRY_LATER", reason: "invalid")
        let (seconds, rest) = retryAfter.components
        response.headers.add("Retry-After", String(max(1, rest > 0 ? seconds + 1 : seconds)))
        return response
    }

    private static func envelope(
        _ status: Int, _ message: String, reason: String, domain: String? = "global", status name: String? = nil
    ) -> HTTPResponse {
        respond(
            status,
            .object([
                ("code", .int(status)), ("message", .string(message)),
                (
                    "errors",
                    .array([
                        .object([("message", .string(message)), ("reason", .string(reason)), ("domain", .optional(domain))])
                    ])
                ), ("status", .optional(name)),
            ]))
    }

    private static func respond(_ status: Int, _ error: JSON) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders([
                ("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ]), body: .bytes(JSON.object([("error", error)]).pretty))
    }
}

extension APIError {
    init(_ error: AccountError) {
        switch error {
        case .store(let error): self = APIError(error)
        case .crypto(let error): self = .failed(cause: "\(error)")
        case .notImplemented(let what): self = .notImplemented(what)
        default: self = .refused(error.code)
        }
    }
}
