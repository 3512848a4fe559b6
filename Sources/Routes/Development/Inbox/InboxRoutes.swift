internal import HTTP
internal import Mail
internal import Platform

/// The caught mails for programs and for people (interface.md §3), `dev` only. Mails are hostile until shown otherwise: their HTML is served
/// under a policy of its own and nowhere else.
struct InboxRoutes: Sendable {
    let inbox: Inbox
    let files: DevelopmentFiles

    /// Answers the routes about mails.
    func respond(_ route: DevelopmentRoute, to request: HTTPRequest) throws(APIError) -> HTTPResponse {
        switch route {
        case .inbox: request.method == .delete ? empty(request) : list(request)
        case .mail(let id): message(id)
        case .mailHTML(let id): html(id)
        case .inboxPage(let id): page(id)
        case .script: Self.answer(200, type: "text/javascript; charset=utf-8", body: .static(files.script))
        case .styleSheet: Self.answer(200, type: "text/css; charset=utf-8", body: .static(files.styleSheet))
        case .greeting, .oobCodes, .accounts, .configuration, .events: throw .notFound
        }
    }

    /// All mails, or 304 for a page that has them (RFC 9110 §13.1.2).
    private func list(_ request: HTTPRequest) -> HTTPResponse {
        let (mails, version) = inbox.snapshot()
        let tag = "\"\(version)\""
        var response =
            request.headers["If-None-Match"] == tag
            ? HTTPResponse(status: 304, headers: Self.headers())
            : Self.answer(200, type: "application/json", body: .bytes(JSON.array(mails.map(Self.json)).compact))
        response.headers.set("ETag", tag)
        return response
    }

    private func empty(_ request: HTTPRequest) -> HTTPResponse {
        guard Self.isOwn(request) else { return Self.foreignOrigin }
        inbox.removeAll()
        return Self.answer(200, type: "application/json", body: .bytes(JSON.object([]).compact))
    }

    private func message(_ id: String) -> HTTPResponse {
        guard let mail = inbox.mail(id: id) else { return Self.notFound }
        var response = Self.answer(200, type: "message/rfc822", body: .bytes(mail.bytes), policy: Self.pagePolicy + "; sandbox")
        response.headers.set("Content-Disposition", "inline; filename=\"mail-\(mail.id).eml\"")
        return response
    }

    private func html(_ id: String) -> HTTPResponse {
        guard let html = inbox.mail(id: id)?.html else { return Self.notFound }
        // The type says UTF-8, which goes before anything that the HTML says of itself.
        var response = Self.answer(200, type: "text/html; charset=utf-8", body: .bytes(Array(html.utf8)), policy: Self.mailPolicy)
        response.headers.set("X-DNS-Prefetch-Control", "off")
        return response
    }

    private func page(_ id: String?) -> HTTPResponse {
        // The page itself says that a mail is gone; the list beside it goes on working.
        let isThere = id.map { inbox.mail(id: $0) != nil } ?? true
        return Self.answer(isThere ? 200 : 404, type: "text/html; charset=utf-8", body: .static(files.page))
    }

    /// Whether no page of another origin has sent this: a program sends no Origin, our own page the one that it asks at. What a browser says
    /// in Sec-Fetch-Site no page can forge.
    private static func isOwn(_ request: HTTPRequest) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin" && site != "none" { return false }
        guard let origin = request.headers["Origin"] else { return true }
        guard let host = request.headers["Host"], !host.isEmpty else { return false }
        return origin.lowercased() == "http://" + host.lowercased() || origin.lowercased() == "https://" + host.lowercased()
    }

    private static func json(_ mail: CaughtMail) -> JSON {
        var names: Set<String> = []
        // The first of a name counts, as in `header(_:)`.
        let headers: [(String, JSON?)] = mail.headers.filter { names.insert($0.name.lowercased()).inserted }
            .map { ($0.name, .string($0.value)) }
        return .object([
            ("id", .string(mail.id)), ("project", .string(mail.project)), ("from", .string(mail.envelope.sender.text)),
            ("to", .string(mail.envelope.recipient.text)), ("subject", .string(mail.subject)),
            ("receivedAt", .string(mail.receivedAt.description)), ("headers", .object(headers)), ("text", .optional(mail.text)),
            ("html", .optional(mail.html)), ("link", .optional(mail.link)),
        ])
    }

    private static var notFound: HTTPResponse { secured(APIError.notFound.response) }

    private static var foreignOrigin: HTTPResponse {
        let message = "The inbox is emptied by its own page and by programs, not by other sites."
        let error = JSON.object([
            (
                "error",
                .object([
                    ("code", .int(403)), ("message", .string(message)),
                    (
                        "errors",
                        .array([
                            .object([("message", .string(message)), ("reason", .string("forbidden")), ("domain", .string("global"))])
                        ])
                    ), ("status", .string("PERMISSION_DENIED")),
                ])
            )
        ])
        return answer(403, type: "application/json; charset=utf-8", body: .bytes(error.pretty))
    }
}

// MARK: - Headers

extension InboxRoutes {
    /// Our page: its own script and style and nothing else; frames for the HTML of mails.
    static let pagePolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The HTML of a mail: inline style, as mails have it, and pictures inside of it; an origin of its own, no script, no way to the network.
    static let mailPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

    private static func headers(type: String? = nil, policy: String = pagePolicy) -> HTTPHeaders {
        HTTPHeaders(
            (type.map { [("Content-Type", $0)] } ?? []) + [
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Resource-Policy", "same-origin"), ("Content-Security-Policy", policy),
            ])
    }

    private static func answer(_ status: Int, type: String, body: HTTPResponse.Body, policy: String = pagePolicy) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers(type: type, policy: policy), body: body)
    }

    private static func secured(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (name, value) in headers().pairs { response.headers.set(name, value) }
        return response
    }
}
