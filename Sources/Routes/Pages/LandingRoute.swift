internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform
internal import Templating

/// `GET` and `HEAD` of `/__/auth/action` and `/__/auth/links`: what a link leads to. Looking changes nothing, whoever looks.
struct LandingRoute: Sendable {
    let directory: ProjectDirectory
    let checkActionCode: CheckActionCode
    let pages: @Sendable () -> PageLibrary
    let hosts: HostDirectory
    let keys: KeyRing
    let clock: WallClock

    /// A web link: the query as it came, since the signature covers every character of it.
    func action(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        guard let query = request.rawQuery, let project = ActionLink.claimedAPIKey(webQuery: query).flatMap(directory.project(apiKey:))
        else { return page(.altered, request, nil) }
        return try await land(on: project.actionBase + "?" + query, request, project: project)
    }

    /// An app link that no app has taken: ours is unwrapped, anything else is refused.
    func appLink(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        guard let query = request.rawQuery, let project = ActionLink.claimedAPIKey(appQuery: query).flatMap(directory.project(apiKey:)),
            let inner = ActionLink.unwrap(query: query, project: project)
        else { return page(.altered, request, nil) }
        return try await land(on: inner, request, project: project)
    }

    private func land(on text: String, _ request: HTTPRequest, project: Project) async throws(APIError) -> HTTPResponse {
        // A host that is ours but not one of this project's was put there by somebody else; nothing is ever taken from it.
        guard hosts.serves(request.headers["Host"], project: project) else { return page(.altered, request, project) }
        let link: ActionLink
        do {
            link = try ActionLink(text, project: project, keys: keys, now: clock.now())
        } catch {
            switch error {
            case .altered: return page(.altered, request, project)
            case .expired: return page(.expired, request, project)
            }
        }
        guard link.code.operation == .signIn else { return page(.altered, request, project) }
        let code: ActionCode
        do {
            code = try await checkActionCode.stored(link.code)
        } catch {
            if error == .invalidOobCode { return page(.used, request, project, language: link.language) }
            throw APIError(error)
        }
        switch code.state {
        case .live: return land(on: link, code, request, project: project)
        case .used: return page(.used, request, project, language: link.language)
        case .voided, .exhausted: return page(.voided, request, project, language: link.language)
        }
    }

    private func land(on link: ActionLink, _ code: ActionCode, _ request: HTTPRequest, project: Project) -> HTTPResponse {
        // The list may have changed since the mail went out.
        guard let continueURL = code.settings.continueURL, project.authorizedDomains.allows(continueURL.host) else {
            return page(.unauthorized, request, project, language: link.language)
        }
        let onward = ContinueRedirect.url(continueURL, for: link)
        guard code.settings.namesAnApp else { return PageResponse.seeOther(onward, secure: isSecure(project)) }
        let appURL = ActionLink.text(for: code, project: project, keys: keys)
        return page(
            .openApp, request, project, language: link.language, values: ["appURL": .text(appURL), "webURL": .text(onward)])
    }

    /// A page in the link's language, else in the browser's.
    private func page(
        _ page: LandingPage, _ request: HTTPRequest, _ project: Project?, language: String? = nil, values: [String: TemplateValue] = [:]
    ) -> HTTPResponse {
        let preferred = (language.map { [$0] } ?? []) + LanguageTag.parse(acceptLanguage: request.headers["Accept-Language"] ?? "")
        let html = pages().render(page, preferred: preferred, project: project, values: values)
        return PageResponse.page(html, status: page.status, secure: project.map(isSecure) ?? hosts.isSecure)
    }

    private func isSecure(_ project: Project) -> Bool { project.publicURL.hasPrefix("https://") }
}

extension PageLibrary {
    /// A landing page with its texts.
    func render(_ page: LandingPage, preferred: [String], project: Project?, values: [String: TemplateValue] = [:]) -> String {
        var values = values
        values["appName"] = .text(project?.displayName ?? "")
        for (name, suffix) in [("heading", "Heading"), ("explanation", "Explanation"), ("advice", "Advice")] {
            values[name] = .text(string(page.rawValue + suffix, preferred: preferred, values: values))
        }
        return render(page.template, preferred: preferred, values: values)
    }
}
