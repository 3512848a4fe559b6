/// Everything that is wrong with a folder of templates, found in one go.
public struct TemplateLibraryError: Error, Sendable, Equatable {
    /// A file or folder that cannot be used at all.
    public struct Problem: Error, Sendable, Equatable {
        /// The path, as far as it was given: the library's folder and what is below it.
        public let path: String
        /// What is wrong, as a sentence without a full stop.
        public let reason: String
    }

    /// Missing and unusable files and folders, in the order of their paths.
    public let problems: [Problem]
    /// Mistakes inside files, in the order of their paths and lines; at most 50 a file.
    public let mistakes: [TemplateError]
}

extension TemplateLibraryError: CustomStringConvertible {
    /// One problem a line, then each mistake with its line of source.
    public var description: String {
        (problems.map { "\($0.path): \($0.reason)" } + mistakes.map(\.description)).joined(separator: "\n")
    }
}
