/// Options of `postern keys`.
struct KeysOptions: Sendable, Equatable {
    /// What to do with the keys.
    enum Action: String, Sendable, CaseIterable {
        /// Print them.
        case list
        /// Make a new one that signs from now on.
        case rotate
    }

    /// What to do.
    var action: Action
    /// The configuration file.
    var config: String
}
