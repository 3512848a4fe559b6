public import HTTP
public import Platform

/// Every request comes in here and every answer goes out here; the table of contents of the service.
public struct Router: HTTPResponder {
    private let site: Site
    private let exposure: Exposure
    private let log: Logger

    /// Makes the router of one listening socket.
    public init(site: Site, exposure: Exposure, log: Logger) {
        self.site = site
        self.exposure = exposure
        self.log = log
    }

    /// Files that are answered from memory.
    public func immediateResponse(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get || request.method == .head, request.path.hasSuffix("association") || request.path.hasSuffix(".json"),
            case .association(let document) = Route(path: request.path)
        else { return nil }
        return association(document, request)
    }

    /// Everything else.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let route = Route(path: request.path), site.has(route, exposure: exposure) else { return notFound(request) }
        guard site.admits(request, route: route) else { return foreignHost(route, request) }
        if request.method == .options {
            return route.allowsCrossOrigin ? CrossOrigin.preflight(request) : options(route)
        }
        var response: HTTPResponse
        do throws(APIError) {
            guard route.methods.contains(request.method.description) else {
                throw APIError.methodNotAllowed(request.method.description, path: request.path, allowed: route.methods + ["OPTIONS"])
            }
            response = try await answer(route, request)
        } catch {
            if let cause = error.cause {
                // The path may name a project but never holds a secret; the query may, so it stays out.
                log.with("request", request.id).error("request failed", [("cause", cause), ("path", request.path)])
            }
            response = route.isPage && error.cause != nil ? site.page(.unavailable, request) : error.response
            if route.isPage { PageResponse.protect(&response, secure: site.hosts.isSecure) }
        }
        if route.allowsCrossOrigin { CrossOrigin.allow(request, in: &response) }
        return response
    }

    /// Refusals of the server itself in the API's envelope.
    public func response(to refusal: HTTPRefusal) -> HTTPResponse {
        switch refusal {
        case .badRequest: APIError.badRequest.response
        case .tooLarge: APIError.tooLarge.response
        case .unavailable: APIError.unavailable(cause: "stopping").response
        }
    }

    private func answer(_ route: Route, _ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        switch route {
        case .api(let operation, let project, let tenant):
            return try await site.api.respond(to: operation, try call(request, project: project, tenant: tenant))
        case .legacy(let operation):
            // v3 has no projects in its paths: a list of accounts names its project in the body, and without one is nobody's.
            return try await site.api.respond(
                to: operation, try call(request, project: nil, tenant: nil, mustNameProject: operation == .batchGet))
        case .token:
            return try await site.token.respond(to: request)
        case .publicConfiguration:
            return try site.publicConfiguration.respond(to: request, acceptsPrivileged: exposure.acceptsPrivileged)
        case .projectConfiguration(let project):
            return try await site.projectConfiguration.respond(to: try call(request, project: project, tenant: nil))
        case .suppressions(let project, let address):
            return try await site.suppressions.respond(to: try call(request, project: project, tenant: nil), address: address)
        case .keys(let document):
            return try site.keys.respond(document, to: request)
        case .openAPI:
            return APIResponse.json(site.openAPI.bytes)
        case .association(let document):
            return association(document, request)
        case .action:
            return request.method == .post
                ? try await site.completion.complete(request, client: site.proxies.client(of: request))
                : try await site.landing.action(request)
        case .appLink:
            return try await site.landing.appLink(request)
        case .notMe:
            return request.method == .post ? try await site.notMe.press(request) : try await site.notMe.look(request)
        case .styleSheet:
            return site.styleSheet()
        case .icon:
            return HTTPResponse(status: 204, headers: HTTPHeaders([("Cache-Control", "public, max-age=86400")]))
        case .projectStyleSheet(let project):
            return site.appearanceFiles.styleSheet(of: project, request) ?? site.page(.notFound, request)
        case .logo(let project):
            return site.appearanceFiles.logo(of: project, request) ?? site.page(.notFound, request)
        case .operations(let page):
            return await site.operations.respond(page)
        case .development(let route):
            guard let development = site.development else { throw .notFound }
            return try await development.respond(route, to: request)
        }
    }

    private func call(
        _ request: HTTPRequest, project: String?, tenant: String?, mustNameProject: Bool = false
    ) throws(APIError) -> APICall {
        try APICall(
            request, client: site.proxies.client(of: request), pathProject: project, pathTenant: tenant, directory: site.directory,
            acceptsPrivileged: exposure.acceptsPrivileged, mustNameProject: mustNameProject)
    }

    private func association(_ document: Route.AssociationDocument, _ request: HTTPRequest) -> HTTPResponse {
        guard let host = site.hosts.host(request.headers["Host"]) else { return APIError.notFound.response }
        switch document {
        case .apple: return host.apple.response(to: request)
        case .android: return host.android.response(to: request)
        }
    }

    private func notFound(_ request: HTTPRequest) -> HTTPResponse {
        // A person who mistyped a link gets a page, a program its envelope.
        request.path.hasPrefix("/__/") ? site.page(.notFound, request) : APIError.notFound.response
    }

    private func foreignHost(_ route: Route, _ request: HTTPRequest) -> HTTPResponse {
        switch route {
        case .action, .appLink, .notMe, .styleSheet, .projectStyleSheet, .logo: site.page(.notFound, request)
        default: APIError.foreignHost.response
        }
    }

    private func options(_ route: Route) -> HTTPResponse {
        HTTPResponse(status: 204, headers: HTTPHeaders([("Allow", (route.methods + ["OPTIONS"]).joined(separator: ", "))]))
    }
}
