internal import ActionCodes
internal import QRCodes
public import Templating

/// One state of one landing page with sample values, for people who work on the pages and for checks of all of them.
public struct LandingPagePreview: Sendable, Equatable {
    /// Identifies the state, such as `resetPassword` or `resetPassword.weakPassword`; letters and full stops only.
    public let name: String
    /// The status that the page is sent with.
    public var status: Int { problem == nil ? page.status : 400 }

    private let page: LandingPage
    private let problem: LandingPage.Problem?
    private let showsApp: Bool

    private init(_ page: LandingPage, problem: LandingPage.Problem? = nil, showsApp: Bool = false) {
        self.page = page
        self.problem = problem
        self.showsApp = showsApp
        name = page.rawValue + (problem.map { "." + $0.rawValue } ?? "") + (showsApp ? ".app" : "")
    }

    /// Every state: each page by itself, each form with each problem, and those that may hold ways into an app with them.
    public static let all: [LandingPagePreview] = LandingPage.allCases.flatMap { page -> [LandingPagePreview] in
        var previews = [LandingPagePreview(page)]
        if page.template == "newPassword" { previews += LandingPage.Problem.allCases.map { LandingPagePreview(page, problem: $0) } }
        if page == .openApp || page.template == "confirm" || page.template == "newPassword" {
            previews.append(LandingPagePreview(page, showsApp: true))
        }
        return previews
    }

    /// The page as HTML.
    ///
    /// - Parameters:
    ///   - pages: the library to take it from.
    ///   - languages: the most wanted first; English when none of them is there.
    ///   - appName: what the app is called.
    public func html(from pages: PageLibrary, languages: [String], appName: String) -> String {
        var values: [String: TemplateValue] = ["appName": .text(appName)]
        if page.hasButton {
            values["query"] = .text(Self.query)
            values["token"] = "YSB0b2tlbiBvZiB0aGUgcGFnZQ"
        }
        if page.hasButton || [.passwordReset, .emailVerified, .emailChanged, .resetSent].contains(page) {
            values["address"] = "a•••@example.com"
        }
        if page == .openApp { values["webURL"] = .text("https://example.com/finish?" + Self.query) }
        if let problem { values["problem"] = .text(problem.rawValue) }
        if showsApp { values.merge(Self.ways) { $1 } }
        return pages.render(page, preferred: languages, values: values)
    }

    private static let query = "apiKey=example-key&lang=en&sig=c2lnbmF0dXJl&mode=verifyEmail&oobCode=Y29kZQ"
    private static let mailed =
        "https://links.example.com/__/auth/links?link=https%3A%2F%2Fauth.example.com%2F__%2Fauth%2Faction%3FapiKey%3Dexample-key"

    private static var ways: [String: TemplateValue] {
        var values: [String: TemplateValue] = [
            "hasApp": true, "mailedURL": .text(mailed), "appURL": .text(mailed.replacing("links.", with: "open.")),
            "intentURL": .text(AppWays.intent(for: mailed, package: "com.example.app")),
            "appStoreURL": "https://apps.apple.com/app/id123456789",
            "playStoreURL": "https://play.google.com/store/apps/details?id=com.example.app",
            "smartBanner": .text("app-id=123456789, app-argument=" + mailed),
        ]
        if let code = QRCode(mailed) {
            values["qrPath"] = .text(code.path)
            values["qrSide"] = .text(String(code.side))
        }
        return values
    }
}
