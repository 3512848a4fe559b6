internal import ActionCodes

/// Options of `postern send`.
struct SendOptions: Sendable, Equatable {
    /// The configuration file.
    var config: String
    /// The project.
    var project: String
    /// What the mail is for.
    var type: ActionCodes.Operation
    /// Whom it goes to.
    var email: String
    /// Where its link leads on the web.
    var continueURL: String
    /// The language; nil for the project's.
    var lang: String?
    /// Whether the link is printed too.
    var printLink = false
}
