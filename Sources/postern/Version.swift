/// Which Postern this is.
enum Version {
    /// Semantic version.
    static let current = "0.1.0"
}
