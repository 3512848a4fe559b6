internal import Platform

/// What is logged and how.
struct LogSettings: Sendable, Equatable {
    /// How a line is written.
    enum Format: String, Sendable, CaseIterable {
        /// An object a line, for machines.
        case json
        /// For people.
        case text
    }

    /// The least important lines to write. Default info.
    var level = LogLevel.info
    /// Default json.
    var format = Format.json
}
