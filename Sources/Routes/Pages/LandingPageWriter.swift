internal import ActionCodes
internal import HTTP
internal import Mail
internal import Templating

/// Writes landing pages, each in the link's language, else in the browser's, else in the project's.
struct LandingPageWriter: Sendable {
    let pages: @Sendable () -> PageLibrary
    let hosts: HostDirectory
    let keys: KeyRing
    let appearances: [String: PageAppearance]

    /// A page that says something.
    func page(
        _ page: LandingPage, _ request: HTTPRequest, _ project: Project?, language: String? = nil, values: [String: TemplateValue] = [:],
        onward: String? = nil
    ) -> HTTPResponse {
        var preferred = (language.map { [$0] } ?? []) + LanguageTag.parse(acceptLanguage: request.headers["Accept-Language"] ?? "")
        var values = values
        if let project {
            preferred.append(project.defaultLocale)
            values["appName"] = .text(project.displayName)
            if appearances[project.id]?.accentColor != nil { values["theme"] = .text(project.id) }
            if appearances[project.id]?.logo != nil { values["logo"] = .text(project.id) }
        }
        let html = pages().render(page, preferred: preferred, values: values)
        return PageResponse.page(html, status: page.status, secure: isSecure(project), onward: onward)
    }

    /// A page whose button completes the link; with `problem` once more, because what was sent would not do.
    func form(_ page: LandingPage, _ live: LinkReader.Live, _ request: HTTPRequest, problem: LandingPage.Problem? = nil) -> HTTPResponse {
        var values: [String: TemplateValue] = [
            "query": .text(live.query), "token": .text(PageToken.text(for: live.link, keys: keys)),
            // Masked, since whoever has the link is not yet known to have the address.
            "address": .text(live.code.recipient.masked),
        ]
        if let problem { values["problem"] = .text(problem.rawValue) }
        // A link in the app form came to the browser: the app may complete it too.
        values.merge(AppWays(hosts: hosts, keys: keys).values(for: live, host: request.headers["Host"])) { mine, _ in mine }
        var response = self.page(
            page, request, live.project, language: live.link.language, values: values, onward: live.continueURL?.origin)
        if problem != nil { response.status = 400 }
        return response
    }

    /// The ways on from a sign-in link that named an app.
    func openApp(_ live: LinkReader.Live, _ request: HTTPRequest, webURL: String) -> HTTPResponse {
        var values = AppWays(hosts: hosts, keys: keys).values(for: live, host: request.headers["Host"])
        values["webURL"] = .text(webURL)
        return page(.openApp, request, live.project, language: live.link.language, values: values)
    }

    /// The page that says that it is done. `offersPasswordReset` puts a button on it that mails a link for a new password.
    func done(_ live: LinkReader.Live, _ request: HTTPRequest, offersPasswordReset: Bool) -> HTTPResponse {
        var values: [String: TemplateValue] = ["address": .text(live.code.recipient.masked)]
        if offersPasswordReset {
            values["query"] = .text(live.query)
            values["token"] = .text(PageToken.text(for: live.link, purpose: .passwordReset, keys: keys))
        }
        return page(
            LandingPage(done: live.link.code.operation), request, live.project, language: live.link.language, values: values)
    }

    /// On to another place.
    func seeOther(_ location: String, _ project: Project) -> HTTPResponse {
        PageResponse.seeOther(location, secure: isSecure(project))
    }

    private func isSecure(_ project: Project?) -> Bool { project.map { $0.publicURL.hasPrefix("https://") } ?? hosts.isSecure }
}

extension PageLibrary {
    /// A landing page with its texts; the value `problem` is the name of a text.
    func render(_ page: LandingPage, preferred: [String], values: [String: TemplateValue]) -> String {
        var values = values
        for (name, suffix) in [("heading", "Heading"), ("explanation", "Explanation"), ("advice", "Advice"), ("button", "Button")]
        where page.hasButton || name != "button" {
            values[name] = .text(string(page.rawValue + suffix, preferred: preferred, values: values))
        }
        if page.template == "offer" {
            // Above the button here, not below it: the second half of a double click on the page before must not meet the button.
            values["warning"] = values.updateValue("", forKey: "advice")
        }
        if case .text(let problem)? = values["problem"] {
            values["problem"] = .text(string(problem, preferred: preferred, values: values))
        }
        return render(page.template, preferred: preferred, values: values)
    }
}
