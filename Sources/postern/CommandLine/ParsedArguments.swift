internal import Platform

/// The words behind a command, sorted into flags and operands by its syntax; values are still text.
struct ParsedArguments {
    /// The command's syntax.
    let syntax: CommandSyntax
    /// Whether help was asked for; nothing else is checked then.
    private(set) var wantsHelp = false
    private var values: [String: String] = [:]
    private var operands: [String] = []

    init(_ words: some Sequence<String>, syntax: CommandSyntax) throws(UsageError) {
        self.syntax = syntax
        var words = Array(words)[...]
        let flagsEnd = words.firstIndex(of: "--") ?? words.endIndex
        wantsHelp = words[..<flagsEnd].contains { $0 == "--help" || $0 == "-h" }
        if wantsHelp { return }
        while let word = words.popFirst() {
            if word == "--" {
                for operand in words { try take(operand: operand) }
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                try take(operand: word)
                continue
            }
            try take(flag: word, from: &words)
        }
        if operands.count < syntax.operands.count {
            let missing = syntax.operands[operands.count]
            throw error(
                "\(missing.name) is missing; expected \(missing.words.isEmpty ? missing.meaning : missing.words.joined(separator: " or "))")
        }
        if let missing = syntax.flags.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw error("--\(missing.name) is missing; expected --\(missing.name) \(missing.placeholder ?? "")")
        }
    }

    private mutating func take(flag word: String, from words: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard parts[0].hasPrefix("--"), let flag = syntax.flag(name) else {
            let names = syntax.flags.map(\.name) + ["help"]
            // With a value in it the word may hold a password.
            let written = String(parts[0]).shown
            if let near = NearestName.find(name, in: names) { throw error("\(written) is not an option; did you mean --\(near)?") }
            throw error("\(written) is not an option; expected one of \(names.map { "--" + $0 }.joined(separator: ", "))")
        }
        guard values[name] == nil else { throw error("--\(name) is given twice; expected it once") }
        guard let placeholder = flag.placeholder else {
            guard parts.count == 1 else { throw error("--\(name) takes no value; expected it alone") }
            values[name] = ""
            return
        }
        let value: String
        if parts.count == 2 {
            value = String(parts[1])
        } else if let next = words.first, !next.hasPrefix("--") {
            value = next
            words.removeFirst()
        } else {
            throw error("--\(name) has no value; expected --\(name) \(placeholder)")
        }
        guard !value.isEmpty else { throw error("--\(name) is empty; expected --\(name) \(placeholder)") }
        values[name] = value
    }

    private mutating func take(operand word: String) throws(UsageError) {
        guard operands.count < syntax.operands.count else {
            // What follows a link may be its second half, cut off by the shell, and hold a code.
            let takesAnything = syntax.operands.contains { $0.words.isEmpty }
            throw error("\(takesAnything ? "one argument" : word.shown) is too much; expected \(syntax.synopsis)")
        }
        let expected = syntax.operands[operands.count]
        guard expected.words.isEmpty || expected.words.contains(word) else {
            let near = NearestName.find(word, in: expected.words).map { "; did you mean \($0)?" } ?? ""
            throw error("\(word.shown) is not an action; expected \(expected.words.joined(separator: " or "))\(near)")
        }
        guard !word.isEmpty else { throw error("\(expected.name) is empty; expected \(expected.meaning)") }
        operands.append(word)
    }

    /// A usage error of this command.
    func error(_ message: String) -> UsageError { UsageError(command: syntax.name, message: message) }

    // MARK: Values

    /// The value of a flag.
    func text(_ name: String) -> String? { values[name] }

    /// The value of a flag that the syntax requires.
    func required(_ name: String) throws(UsageError) -> String {
        guard let value = values[name] else { throw error("--\(name) is missing") }
        return value
    }

    /// Whether a flag without value is given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The first operand.
    func operand() throws(UsageError) -> String {
        guard let operand = operands.first else { throw error("an argument is missing; expected \(syntax.synopsis)") }
        return operand
    }

    /// The first operand as one of a few words.
    func action<Action: RawRepresentable<String>>(_ type: Action.Type = Action.self) throws(UsageError) -> Action {
        let word = try operand()
        guard let action = Action(rawValue: word) else { throw error("\(word.shown) is not an action; expected \(syntax.synopsis)") }
        return action
    }

    /// A port, or the default.
    func port(default fallback: Int) throws(UsageError) -> Int {
        guard let text = values["port"] else { return fallback }
        guard let port = ListenAddress.port(text) else {
            throw error("--port \(text.shown) is not a port; expected a number from 0 to 65535")
        }
        return port
    }

    /// A host that only this machine can reach, or 127.0.0.1.
    func loopbackHost() throws(UsageError) -> String {
        guard let text = values["host"] else { return "127.0.0.1" }
        let host = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        guard ListenAddress.isLoopback(host) else {
            throw error(
                "--host \(text.shown) is not this machine; expected a loopback address such as 127.0.0.1 or ::1 (postern serve listens elsewhere)"
            )
        }
        return host.lowercased()
    }
}
