internal import ActionCodes
internal import HTTP
internal import Mail
internal import Templating

/// `GET` and `HEAD` of `/__/auth/action` and `/__/auth/links`: what a link leads to. Looking changes nothing, whoever looks.
struct LandingRoute: Sendable {
    let links: LinkReader
    let writer: LandingPageWriter

    /// A web link.
    func action(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        land(on: try await links.read(webQuery: request.rawQuery, host: request.headers["Host"]), request)
    }

    /// An app link that no app has taken.
    func appLink(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        land(on: try await links.read(appQuery: request.rawQuery, host: request.headers["Host"]), request)
    }

    private func land(on reading: LinkReader.Reading, _ request: HTTPRequest) -> HTTPResponse {
        switch reading {
        case .dead(let page, let project, let language):
            return writer.page(page, request, project, language: language)
        case .used(let live):
            return writer.page(.used, request, live.project, language: live.link.language)
        case .live(let live):
            if live.link.code.operation == .signIn { return signIn(live, request) }
            guard let page = LandingPage(form: live.link.code.operation) else { return writer.page(.altered, request, live.project) }
            return writer.form(page, live, request)
        }
    }

    /// The code of a sign-in link is spent by whoever knows the address, so that the link itself may hand over at once.
    private func signIn(_ live: LinkReader.Live, _ request: HTTPRequest) -> HTTPResponse {
        guard let continueURL = live.continueURL else {
            return writer.page(.unauthorized, request, live.project, language: live.link.language)
        }
        let onward = ContinueRedirect.url(continueURL, for: live.link)
        guard live.code.settings.namesAnApp else { return writer.seeOther(onward, live.project) }
        return writer.openApp(live, request, webURL: onward)
    }
}
