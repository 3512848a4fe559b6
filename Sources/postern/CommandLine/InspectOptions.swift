/// Options of `postern inspect`.
struct InspectOptions: Sendable, Equatable {
    /// The link. Holds a code: not for logs.
    var link: String
    /// The configuration file, whose secrets tell whether the link is genuine.
    var config: String?
}
