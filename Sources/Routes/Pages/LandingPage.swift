internal import HTTP
internal import Templating

/// What a person sees who opened a link, by the state that the link is in. Each state has three texts in `Hosting/strings`.
enum LandingPage: String, Sendable, CaseIterable {
    /// Genuine, and an app was named: the ways on.
    case openApp
    /// Its time is over.
    case expired
    /// It was completed.
    case used
    /// Something newer has taken its place, or it was tried with wrong addresses too often.
    case voided
    /// Not as it was sent.
    case altered
    /// Genuine, but its continueUrl is authorised no more.
    case unauthorized
    /// No page has this address.
    case notFound
    /// The store is out of order.
    case unavailable

    /// The status that goes with the page; a state that trying again does not change is 410.
    var status: Int {
        switch self {
        case .openApp: 200
        case .expired, .used, .voided: 410
        case .altered, .unauthorized: 400
        case .notFound: 404
        case .unavailable: 503
        }
    }

    var template: String {
        self == .openApp ? "openApp" : "message"
    }

    /// The names that templates and texts of pages may use.
    static let variables: Set<String> = ["appName", "heading", "explanation", "advice", "appURL", "webURL"]

    /// The pages' files.
    static let templates = Set(allCases.map(\.template))

    /// The texts that are asked for by name.
    static let strings = Set(allCases.flatMap { ["\($0.rawValue)Heading", "\($0.rawValue)Explanation", "\($0.rawValue)Advice"] })
}
