/// A command line that cannot be understood; ends the program with `ExitCode.usage`.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The command it is about, or nil when none was recognised.
    var command: String?
    /// What is wrong and what was expected, without a line break.
    var message: String

    /// The line to print, behind the program's name.
    var description: String { (command.map { $0 + ": " } ?? "") + message }
}
