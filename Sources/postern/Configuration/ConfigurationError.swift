/// A configuration that cannot be used, with all of its problems in the order of the file; ends a command with `ExitCode.configuration`.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// At least one.
    var problems: [ConfigurationProblem]

    /// A line for each problem.
    var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
