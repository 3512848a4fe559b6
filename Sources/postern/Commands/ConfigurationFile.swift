/// The configuration file that a command was given.
struct ConfigurationFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Reads it; everything that is wrong ends the command with 78.
    func read() throws(CommandFailure) -> Configuration {
        try CommandFailure.catching(.configuration) { () throws(ConfigurationError) in try ConfigurationReader(file: path).read() }
    }
}

extension Configuration {
    /// Settings that are read and checked, but that this version does not act on yet; an operator must not believe otherwise.
    var withoutEffect: [String] {
        []
    }
}
