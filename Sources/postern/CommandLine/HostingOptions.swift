/// Options of `postern hosting`.
struct HostingOptions: Sendable, Equatable {
    /// What to do with the files.
    enum Action: String, Sendable, CaseIterable {
        /// Write them into a folder.
        case export
    }

    /// What to do.
    var action: Action
    /// The configuration file.
    var config: String
    /// The folder to write to.
    var out: String
}
