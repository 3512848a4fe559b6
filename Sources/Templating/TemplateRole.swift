/// What a template file is to the others.
enum TemplateRole: Sendable {
    /// A text by itself, or the inside of a layout.
    case body
    /// What stands around a body, once: `{{content}}` outside any section.
    case layout
    /// What a body uses by name, with its own words in place of `{{content}}`.
    case piece

    var holdsContent: Bool { self != .body }

    /// With its article, for errors.
    var name: String { self == .piece ? "a piece" : "a layout" }
}
