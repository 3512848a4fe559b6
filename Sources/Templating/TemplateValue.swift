/// A value for one variable of a template.
public enum TemplateValue: Sendable, Equatable {
    /// Text, escaped by the template's kind when inserted; the empty text counts as absent in a section.
    case text(String)
    /// A switch for sections; inserted by itself it shows nothing.
    case flag(Bool)

    /// Whether `{{#name}}` renders.
    var isPresent: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .flag(let flag): flag
        }
    }
}

extension TemplateValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// Makes a text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    /// Makes a flag.
    public init(booleanLiteral value: Bool) {
        self = .flag(value)
    }
}
