/// Options of `postern outbox`.
struct OutboxOptions: Sendable, Equatable {
    /// What to do with the mails.
    enum Action: String, Sendable, CaseIterable {
        /// Print them.
        case list
        /// Try those that failed again.
        case retry
        /// Remove those that failed.
        case purge
    }

    /// What to do.
    var action: Action
    /// The configuration file.
    var config: String
}
