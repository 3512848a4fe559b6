/// What `postern bounce` was told.
struct BounceOptions: Sendable, Equatable {
    /// The configuration file.
    var config: String
}
