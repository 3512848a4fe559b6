/// The three parts of one mail in one language, each within its layout.
public struct MailTemplate: Sendable {
    /// The mail's mode, which is its folder's name, such as `signIn`.
    public let mode: String
    /// The language tag, as its folder spells it.
    public let language: String

    let subject: Template
    let text: Template
    let html: Template
    let textLayout: Template
    let htmlLayout: Template

    /// Renders all parts. `language` and `direction` are always those of the template, whatever `values` says of them.
    public func render(_ values: [String: TemplateValue]) -> (subject: String, text: String, html: String) {
        var values = values
        values["language"] = .text(language)
        values["direction"] = .text(TextDirection(language: language).rawValue)
        return (subject.render(values), textLayout.render(values, content: text), htmlLayout.render(values, content: html))
    }

    /// The variables that any part or its layout uses.
    public var variableNames: Set<String> {
        [subject, text, html, textLayout, htmlLayout].reduce(into: []) { $0.formUnion($1.variableNames) }
    }
}
