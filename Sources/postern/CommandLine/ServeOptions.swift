/// Options of `postern serve`.
struct ServeOptions: Sendable, Equatable {
    /// The configuration file.
    var config: String
}
