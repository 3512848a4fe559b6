import Synchronization

/// What happened in a test, in order, seen from several threads.
final class EventLog: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    func add(_ entry: String) {
        entries.withLock { $0.append(entry) }
    }

    func contains(_ entry: String) -> Bool {
        entries.withLock { $0.contains(entry) }
    }

    /// Where `entry` stands; past the end when it does not.
    func position(_ entry: String) -> Int {
        entries.withLock { $0.firstIndex(of: entry) ?? .max }
    }
}
