/// Why a text is not what a setting wants. Never holds the text itself when that may be secret.
struct ConfigurationFault: Error, Equatable {
    /// What is wrong with it, such as `"a" has no port`.
    var reason: String
    /// What would be right, such as `expected host:port`.
    var remedy: String

    init(_ reason: String, _ remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }
}

/// A value that a string of the configuration stands for.
protocol ConfigurationText {
    /// Takes the string as it stands in the file.
    init(configured text: String) throws(ConfigurationFault)
}

extension String {
    /// The text in quotes on one line and not too long, for messages: a configuration may hold anything, and they go to terminals.
    var shown: String {
        let limit = 80
        let visible = unicodeScalars.prefix(limit).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }
        return "\"" + visible.joined() + (unicodeScalars.count > limit ? "…" : "") + "\""
    }
}

extension StringProtocol {
    /// Whether there are ASCII digits only; `Int.init` takes signs too.
    var isDecimal: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
