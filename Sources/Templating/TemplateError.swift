/// A mistake in a template's source, with the place to look at.
public struct TemplateError: Error, Sendable, Equatable {
    /// The path of the file, as it was given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column of the mistake's first character, from 1, in characters.
    public let column: Int
    /// The whole line, without its line break.
    public let lineText: String
    /// What is wrong, as a sentence without a full stop.
    public let reason: String
}

extension TemplateError: CustomStringConvertible {
    /// `file:line:column: reason`, and below it the line with a caret under the mistake; a long line is cut around the mistake.
    public var description: String {
        let reach = 60
        let characters = Array(lineText)
        let start = max(0, column - 1 - reach)
        let end = min(characters.count, column - 1 + reach)
        // Controls as spaces: a TAB would move the caret, an ESC would speak to the terminal.
        let shown = String(
            characters[min(start, end)..<end].map { character in
                character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : character
            })
        let caret = String(repeating: " ", count: column - 1 - start) + "^"
        return "\(file):\(line):\(column): \(reason)\n    \(shown)\n    \(caret)"
    }
}
