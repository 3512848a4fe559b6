internal import Synchronization

/// Tells a developer, once for each, what `serve` would need in its configuration for what `dev` has just let through.
final class ServeAdvice: Sendable {
    /// So that a client that invents host names cannot fill the memory or the screen.
    private static let limit = 100

    private let told = Mutex<Set<String>>([])

    func note(project: String, key: String, host: String) {
        let line = "project \(project): for `serve`, add \"\(host)\" to \(key) in its configuration"
        let isNew = told.withLock { told in told.count < Self.limit && told.insert(line).inserted }
        if isNew { Console.error(line) }
    }
}
