/// What may stand behind a command: its flags and operands, and what help says about them.
struct CommandSyntax: Sendable {
    /// An option that begins with two hyphens.
    struct Flag: Sendable {
        /// Without the hyphens.
        var name: String
        /// What stands for the value in help; nil for a flag without one.
        var placeholder: String?
        /// Whether the command needs it.
        var isRequired = false
        /// What it does, with its default.
        var meaning: String
    }

    /// A word that is no flag; always needed.
    struct Operand: Sendable {
        /// What stands for it in help.
        var name: String
        /// The words it may be; empty for any.
        var words: [String] = []
        /// What it is.
        var meaning: String
    }

    /// The command.
    var name: String
    /// What it does, one sentence.
    var summary: String
    /// In order.
    var operands: [Operand] = []
    /// In the order of help.
    var flags: [Flag] = []
    /// What help says at its end.
    var notes: @Sendable () -> String = { "" }

    /// The flag with this name.
    func flag(_ name: String) -> Flag? {
        flags.first { $0.name == name }
    }

    /// The line that shows how the command is written.
    var synopsis: String {
        let operands = operands.map { $0.words.isEmpty ? $0.name : $0.words.joined(separator: "|") }
        let flags = flags.map { flag in
            let text = "--" + flag.name + (flag.placeholder.map { " " + $0 } ?? "")
            return flag.isRequired ? text : "[\(text)]"
        }
        return (["postern", name] + operands + flags).joined(separator: " ")
    }

    /// What `--help` prints.
    var help: String {
        var rows = operands.map { ($0.words.isEmpty ? $0.name : $0.words.joined(separator: "|"), $0.meaning) }
        rows += flags.map { ("--" + $0.name + ($0.placeholder.map { " " + $0 } ?? ""), $0.meaning + ($0.isRequired ? " Required." : "")) }
        rows.append(("--help", "Print this text."))
        let notes = notes()
        return summary + "\n\n    " + synopsis + "\n\n" + Self.columns(rows) + (notes.isEmpty ? "" : "\n" + notes + "\n")
    }

    /// What `postern --help` prints.
    static var overview: String {
        let rows = all.map { ($0.name, $0.summary) }
        return "Sends sign-in links and other e-mail action codes from your own domain.\n\n    postern COMMAND [OPTIONS]\n\n"
            + columns(rows)
            + "\npostern help COMMAND, or postern COMMAND --help, says more.\n"
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 + "\n" }.joined()
    }
}
