public import Platform

/// The three parts of one mail in one language, each within its layout.
public struct MailTemplate: Sendable {
    /// The variables that say something in the words of the mail's language.
    static let wordVariables: Set = ["expiresIn", "requestedAt"]

    /// The mail's mode, which is its folder's name, such as `signIn`.
    public let mode: String
    /// The language tag, as its folder spells it.
    public let language: String

    let subject: Template
    let text: Template
    let html: Template
    let textLayout: Template
    let htmlLayout: Template
    /// Nil only where no part needs any.
    let words: MailWords?

    /// Renders all parts. `language` and `direction` are always those of the template, whatever `values` says of them.
    public func render(_ values: [String: TemplateValue]) -> (subject: String, text: String, html: String) {
        var values = values
        values["language"] = .text(language)
        values["direction"] = .text(TextDirection(language: language).rawValue)
        return (subject.render(values), textLayout.render(values, content: text), htmlLayout.render(values, content: html))
    }

    /// How long something lives, for `expiresIn`: the largest unit that divides it, such as "6 hours", "90 minutes" or "1 day"; at least a
    /// minute. Empty where no part of the mail says so.
    public func lifetime(_ duration: Duration) -> String {
        words?.lifetime(duration) ?? ""
    }

    /// A moment to the minute in UTC, for `requestedAt`, such as "30 November 2026, 22:27 UTC". Empty where no part of the mail says so.
    public func moment(_ time: UnixTime) -> String {
        words?.moment(time) ?? ""
    }

    /// The variables that any part or its layout uses.
    public var variableNames: Set<String> {
        [subject, text, html, textLayout, htmlLayout].reduce(into: []) { $0.formUnion($1.variableNames) }
    }
}
