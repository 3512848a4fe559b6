internal import Mail
internal import Platform
internal import SQLiteStorage

/// `postern outbox`: mails that wait or failed, beside a running server or without one.
struct OutboxCommand {
    private static let listed = 1000

    private let options: OutboxOptions

    init(_ options: OutboxOptions) {
        self.options = options
    }

    func run() async throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        let store = try CommandFailure.catching(.unavailable) { () throws(SQLiteOpenError) in
            try SQLiteStore.open(path: configuration.databasePath, role: .tool, logger: .silent)
        }
        defer { store.close() }
        do throws(StoreError) {
            switch options.action {
            case .list: try await list(store)
            case .retry:
                let count = try await store.retryOutbox(ids: nil, now: WallClock.system.now())
                Console.print("\(count) to be tried again; a running server begins within seconds")
            case .purge: try await purge(store)
            }
        } catch {
            throw CommandFailure(.io, "the database cannot be used: \(error)")
        }
    }

    private func list(_ store: SQLiteStore) async throws(StoreError) {
        let counts = try await store.outboxCounts()
        for listing in try await store.listOutbox(limit: Self.listed) {
            let entry = listing.entry
            var line =
                "\(entry.id)  \(listing.state.rawValue)  \(entry.projectID)  to \(entry.recipientDomain)  accepted \(entry.createdAt)"
            line += "  attempts \(entry.attempts)"
            if let due = listing.dueAt { line += "  due \(due)" }
            if let reason = listing.reason { line += "  \(reason)" }
            Console.print(line)
        }
        Console.print("\(counts.waiting) waiting, \(counts.failed) failed")
    }

    private func purge(_ store: SQLiteStore) async throws(StoreError) {
        var total = 0
        while true {
            let count = try await store.purgeOutbox(settledBefore: WallClock.system.now(), limit: 500)
            total += count
            if count < 500 { break }
        }
        Console.print("\(total) removed; mails that wait are kept")
    }
}
