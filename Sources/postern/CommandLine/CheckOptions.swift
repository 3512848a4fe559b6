/// Options of `postern check`.
struct CheckOptions: Sendable, Equatable {
    /// The configuration file.
    var config: String
}
