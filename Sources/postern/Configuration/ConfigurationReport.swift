/// Gathers what is wrong while a configuration is read, so that all of it is told at once.
final class ConfigurationReport {
    /// The file as the command line named it.
    let file: String
    private var found: [ConfigurationProblem] = []

    init(file: String) {
        self.file = file
    }

    /// Whether nothing is wrong yet.
    var isEmpty: Bool { found.isEmpty }

    /// What is wrong, in the order of the file.
    var problems: [ConfigurationProblem] {
        // Sorting by index too keeps the order of discovery within one place.
        found.enumerated().sorted { left, right in
            (left.element.position ?? .init(line: 0, column: 0), left.offset) < (
                right.element.position ?? .init(line: 0, column: 0), right.offset
            )
        }.map(\.element)
    }

    /// Adds a problem.
    func add(_ keyPath: String, at position: TextPosition?, _ reason: String, _ remedy: String) {
        found.append(ConfigurationProblem(file: file, position: position, keyPath: keyPath, reason: reason, remedy: remedy))
    }
}
