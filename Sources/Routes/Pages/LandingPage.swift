internal import ActionCodes

/// What a person sees who opened a link, by the state that the link is in. Each state has three texts in `Hosting/strings`, and those with a
/// button one more for it.
enum LandingPage: String, Sendable, CaseIterable {
    /// Genuine, and an app was named: the ways on.
    case openApp
    /// A new password is asked for.
    case resetPassword
    /// The address is to be confirmed.
    case verifyEmail
    /// The new address is to be confirmed.
    case verifyAndChangeEmail
    /// The replaced address is to come back.
    case recoverEmail
    /// The second factor is to be removed.
    case revertSecondFactorAddition
    /// The password was set.
    case passwordReset
    /// The address was confirmed.
    case emailVerified
    /// The address was changed.
    case emailChanged
    /// The replaced address is back; a new password is offered.
    case emailRecovered
    /// The second factor was removed.
    case secondFactorRemoved
    /// A link for a new password is on its way.
    case resetSent
    /// Its time is over.
    case expired
    /// It was completed.
    case used
    /// Something newer has taken its place, or it was tried with wrong addresses too often.
    case voided
    /// Not as it was sent.
    case altered
    /// Its mode is not the one of its code.
    case wrongMode
    /// Opened at a place of another project, or with the key of one.
    case wrongProject
    /// Genuine, but its continueUrl is authorised no more, or what it does is not offered any more.
    case unauthorized
    /// An administrator has shut the account.
    case disabled
    /// Another account has the address.
    case taken
    /// The mail was not asked for by whoever got it.
    case notMe
    /// Its codes are void and its address is muted.
    case notMeDone
    /// It is too old to be worth anything.
    case notMeOver
    /// The form was not sent by our own page.
    case refused
    /// Too much was asked for in a short time.
    case tooMany
    /// No page has this address.
    case notFound
    /// The store is out of order.
    case unavailable

    /// What stands on the form again when what was sent would not do; the name of its text.
    enum Problem: String, CaseIterable {
        case weakPassword
        case differentPasswords
    }

    /// The page with the button that completes `operation`; nil when there is none.
    init?(form operation: Operation) {
        switch operation {
        case .resetPassword: self = .resetPassword
        case .verifyEmail: self = .verifyEmail
        case .verifyAndChangeEmail: self = .verifyAndChangeEmail
        case .recoverEmail: self = .recoverEmail
        case .revertSecondFactorAddition: self = .revertSecondFactorAddition
        case .signIn: return nil
        }
    }

    /// The page that says that it is done, for operations with a form.
    init(done operation: Operation) {
        switch operation {
        case .resetPassword: self = .passwordReset
        case .verifyAndChangeEmail: self = .emailChanged
        case .recoverEmail: self = .emailRecovered
        case .revertSecondFactorAddition: self = .secondFactorRemoved
        case .verifyEmail, .signIn: self = .emailVerified
        }
    }

    /// The status that goes with the page; a state that trying again does not change is 410.
    var status: Int {
        switch self {
        case .openApp, .resetPassword, .verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition: 200
        case .passwordReset, .emailVerified, .emailChanged, .emailRecovered, .secondFactorRemoved, .resetSent: 200
        case .notMe, .notMeDone: 200
        case .expired, .used, .voided, .notMeOver: 410
        case .altered, .wrongMode, .wrongProject, .unauthorized: 400
        case .disabled, .refused: 403
        case .taken: 409
        case .tooMany: 429
        case .notFound: 404
        case .unavailable: 503
        }
    }

    var template: String {
        switch self {
        case .resetPassword: "newPassword"
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition: "confirm"
        case .emailRecovered: "offer"
        case .notMe: "notMe"
        default: "message"
        }
    }

    var hasButton: Bool { template != "message" }

    /// The names that templates and texts of pages may use.
    static let variables: Set<String> = [
        "appName", "heading", "explanation", "advice", "warning", "address", "button", "query", "token", "problem", "webURL", "hasApp",
        "appURL",
        "mailedURL", "intentURL", "appStoreURL", "playStoreURL", "smartBanner", "qrPath", "qrSide", "theme", "logo",
    ]

    /// The pages' files.
    static let templates = Set(allCases.map(\.template))

    /// The texts that are asked for by name.
    static let strings = Set(
        allCases.flatMap { page in
            ["Heading", "Explanation", "Advice"].map { page.rawValue + $0 } + (page.hasButton ? [page.rawValue + "Button"] : [])
        } + Problem.allCases.map(\.rawValue))
}
