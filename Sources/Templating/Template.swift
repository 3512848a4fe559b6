/// One parsed template file: parsed once, rendered any number of times from any thread.
///
/// # The language
///
/// | written | gives |
/// |---|---|
/// | `{{name}}` | the value, escaped by the file's kind (``TemplateKind``); nothing when absent |
/// | `{{#name}}…{{/name}}` | the part between, when the value is present: a non-empty text or a true flag |
/// | `{{^name}}…{{/name}}` | the part between, when it is not |
/// | `{{! words }}` | nothing: a comment, which may run over several lines |
/// | `{{>name}}…{{/name}}` | a piece of the layout, in which the part between takes the place of `{{content}}` |
/// | `{{content}}` | in a layout or a piece only, and just once: what it is put around |
/// | `%LINK%` and other placeholders of Firebase | as the variable that they name (``MailVariables``) |
///
/// There is nothing else: no loops, no unescaped insertion and no way to write a literal `{{`. Blanks inside the braces are
/// allowed; a name is a letter, then letters, digits and `_`. Sections nest. A line that holds only a section tag or a comment leaves no
/// empty line behind (the "standalone" rule of the Mustache specification). The names a template may use are a closed set; any other
/// is an error when the file is read, so a misspelt name never reaches a reader as a gap.
///
/// In HTML, more is checked when the file is read, since escaping alone does not make every place safe:
/// - inside a tag a value stands only within a quoted attribute, and never in an `on…`, `style`, `srcdoc` or `srcset` attribute;
/// - no value stands in a comment, `<style>` or `<script>`;
/// - a section begins and ends in the same place of the markup, so what is skipped cannot change the meaning of what follows;
/// - a piece stands between tags only, as does its `{{content}}`;
/// - the file does not end inside a tag or comment.
///
/// In `href`, `src`, `action` and other attributes that hold an address, a variable named `link`, `…Link` or `…URL` shows nothing unless its value
/// begins with `https://`, `http://` or `intent:`, in any case of letters. Any other variable standing where the address's scheme is not yet
/// written shows nothing if its value brings a scheme other than `https`, `http`, `intent`, `mailto` or `tel`. So `javascript:` is never made.
public struct Template: Sendable {
    private let kind: TemplateKind
    let segments: [TemplateSegment]
    let names: [String]
    private let sourceLength: Int

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - source: the text of the file.
    ///   - kind: what the file becomes.
    ///   - file: the path shown in errors.
    ///   - variables: all names that may be used; `content` is never one of them.
    /// - Throws: the first mistake.
    public init(_ source: String, kind: TemplateKind, file: String, variables: Set<String>) throws(TemplateError) {
        var parser = TemplateParser(source, kind: kind, file: file, variables: variables)
        parser.parse()
        if let first = parser.errors.first { throw first }
        self.init(parser)
    }

    /// Takes what a parser that met no mistake has made.
    init(_ parser: TemplateParser) {
        kind = parser.kind
        segments = parser.segments
        names = parser.names
        sourceLength = parser.source.count
    }

    /// The names that the template uses.
    public var variableNames: Set<String> {
        Set(names)
    }

    /// Renders the template in time linear in its length and that of the values used; names that it does not use are ignored.
    public func render(_ values: [String: TemplateValue]) -> String {
        render(values, content: nil)
    }

    /// Renders a layout around the template of its content, into one buffer.
    func render(_ values: [String: TemplateValue], content: Template?) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((sourceLength + (content?.sourceLength ?? 0)) * 5 / 4 + 512)
        append(to: &output, values, content: content)
        if kind == .subject { output.trimBlanks() }
        return String(decoding: output, as: UTF8.self)
    }

    private func append(to output: inout [UInt8], _ values: [String: TemplateValue], content: Template?) {
        let resolved = names.map { values[$0] }
        var index = 0
        while index < segments.count {
            switch segments[index] {
            case .literal(let bytes):
                output.append(contentsOf: bytes)
            case .value(let slot, let place):
                if case .text(let text)? = resolved[slot], place.admits(text) { kind.append(text, to: &output) }
            case .section(let slot, let isInverted, let end):
                if (resolved[slot]?.isPresent ?? false) == isInverted { index = end - 1 }
            case .content:
                let start = output.count
                content?.append(to: &output, values, content: nil)
                // The layout's own line break follows.
                while output.count > start, output.last == UInt8(ascii: "\n") || output.last == UInt8(ascii: "\r") { output.removeLast() }
            }
            index += 1
        }
    }
}

extension [UInt8] {
    fileprivate mutating func trimBlanks() {
        while last == UInt8(ascii: " ") { removeLast() }
        removeFirst(prefix { $0 == UInt8(ascii: " ") }.count)
    }
}
