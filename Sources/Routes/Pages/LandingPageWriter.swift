internal import ActionCodes
internal import HTTP
internal import Templating

/// Writes landing pages, each in the link's language, else in the browser's.
struct LandingPageWriter: Sendable {
    let pages: @Sendable () -> PageLibrary
    let hosts: HostDirectory
    let keys: KeyRing

    /// A page that says something.
    func page(
        _ page: LandingPage, _ request: HTTPRequest, _ project: Project?, language: String? = nil, values: [String: TemplateValue] = [:],
        onward: String? = nil
    ) -> HTTPResponse {
        let preferred = (language.map { [$0] } ?? []) + LanguageTag.parse(acceptLanguage: request.headers["Accept-Language"] ?? "")
        let html = pages().render(page, preferred: preferred, project: project, values: values)
        return PageResponse.page(html, status: page.status, secure: isSecure(project), onward: onward)
    }

    /// A page whose button completes the link; with `problem` once more, because what was sent would not do.
    func form(_ page: LandingPage, _ live: LinkReader.Live, _ request: HTTPRequest, problem: LandingPage.Problem? = nil) -> HTTPResponse {
        var values: [String: TemplateValue] = [
            "query": .text(live.query), "token": .text(PageToken.text(for: live.link, keys: keys)),
            "button": .text(string("\(page.rawValue)Button", live, request)),
        ]
        if let problem { values["problem"] = .text(string(problem.rawValue, live, request)) }
        // A link in the app form came to the browser: the app may complete it too.
        if live.code.settings.namesAnApp { values["appURL"] = .text(ActionLink.text(for: live.code, project: live.project, keys: keys)) }
        var response = self.page(
            page, request, live.project, language: live.link.language, values: values, onward: live.continueURL?.origin)
        if problem != nil { response.status = 400 }
        return response
    }

    /// On to another place.
    func seeOther(_ location: String, _ project: Project) -> HTTPResponse {
        PageResponse.seeOther(location, secure: isSecure(project))
    }

    private func string(_ name: String, _ live: LinkReader.Live, _ request: HTTPRequest) -> String {
        let preferred = [live.link.language] + LanguageTag.parse(acceptLanguage: request.headers["Accept-Language"] ?? "")
        return pages().string(name, preferred: preferred, values: ["appName": .text(live.project.displayName)])
    }

    private func isSecure(_ project: Project?) -> Bool { project.map { $0.publicURL.hasPrefix("https://") } ?? hosts.isSecure }
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
