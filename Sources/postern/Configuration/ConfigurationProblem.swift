/// One thing that is wrong with a configuration, in words an operator can act on. Holds no secret.
struct ConfigurationProblem: Sendable, Equatable {
    /// The file as the command line named it.
    var file: String
    /// Where in the file; nil when the problem has no place, such as a file that cannot be read.
    var position: TextPosition?
    /// Which setting, such as `projects[0].apps.ios[0].teamID`; empty for the file as a whole.
    var keyPath: String
    /// What is wrong.
    var reason: String
    /// What would be right.
    var remedy: String
}

extension ConfigurationProblem: CustomStringConvertible {
    /// One line: `FILE:LINE:COLUMN: KEY PATH: REASON; REMEDY`.
    var description: String {
        var text = file
        if let position { text += ":\(position.line):\(position.column)" }
        if !keyPath.isEmpty { text += ": " + keyPath }
        return text + ": " + reason + "; " + remedy
    }
}
