public import ActionCodes
public import Mail
public import Platform
internal import Synchronization

/// Codes, accounts and the outbox in one SQLite file (write-ahead log, `synchronous=FULL`), written by one thread and read by three.
public final class SQLiteStore: Store {
    /// What a process wants from the file.
    public enum Role: Sendable {
        /// Serve: makes the file, brings its schema up to date, and keeps every other serving process out, since two outboxes on one file
        /// would send mails twice.
        case serving
        /// Look and change a little beside a serving process, as `postern outbox` does; makes and migrates nothing.
        case tool
    }

    let clock: WallClock
    let logger: Logger
    let writer: GroupCommitWriter
    let readers: ReaderPool
    /// In a serving process only.
    let sent: SentMails?
    private let stopped = Mutex(false)

    /// Opens the database at `path`. A missing folder is made (0700), its parent is not; the file is made 0600.
    public static func open(
        path: String, role: Role, clock: WallClock = .system, logger: Logger
    ) throws(SQLiteOpenError) -> SQLiteStore {
        try open(path: path, role: role, clock: clock, logger: logger, generationCapacity: LiveCodeIndex.defaultCapacity)
    }

    /// The same with generations as small as a test wants them.
    static func open(
        path: String, role: Role, clock: WallClock = .system, logger: Logger, generationCapacity: Int
    ) throws(SQLiteOpenError) -> SQLiteStore {
        try DatabaseFile.prepare(path: path, create: role == .serving)
        let lock = role == .serving ? try ServingLock(path: path) : nil
        func connect(_ mode: Connection.Mode, cacheKiB: Int) throws(SQLiteOpenError) -> Connection {
            try SQLiteOpenError.catching(path: path) { () throws(StoreError) in
                try Connection(path: path, mode: mode, cacheKiB: cacheKiB)
            }
        }
        let connection = try connect(.readWrite, cacheKiB: 4096)
        try Migration.bringUpToDate(connection, path: path, role: role, now: clock.now())
        let sent = role == .serving ? try sentMails(path: path, connection) : nil
        let addressHash = try SQLiteOpenError.catching(path: path) { () throws(StoreError) in
            let key = try connection.first("SELECT key FROM hash_keys WHERE id = 1") { $0.blob(0) }
            guard let hash = AddressHash(key: key ?? []) else { throw .damaged("hash key") }
            return hash
        }
        var readers: [SQLiteTransaction] = []
        for _ in 0..<(role == .serving ? 3 : 1) {
            readers.append(SQLiteTransaction(connection: try connect(.readOnly, cacheKiB: 1024), addressHash: addressHash))
        }
        let liveCodes = try SQLiteOpenError.catching(path: path) { () throws(StoreError) in
            try LiveCodeIndex(connection, role: role, capacity: generationCapacity)
        }
        let transaction = SQLiteTransaction(connection: connection, addressHash: addressHash, liveCodes: liveCodes)
        return SQLiteStore(
            writer: GroupCommitWriter(transaction, keeping: lock),
            readers: ReaderPool(readers), sent: sent, clock: clock, logger: logger)
    }

    /// Removes from the outbox what the last process sent and had no time to remove. Durable before the first record is overwritten.
    private static func sentMails(path: String, _ connection: Connection) throws(SQLiteOpenError) -> SentMails {
        let (journal, records) = try SentJournal.open(path: path + ".sent")
        try SQLiteOpenError.catching(path: path) { () throws(StoreError) in
            try connection.beginWriting()
            do throws(StoreError) {
                for record in records {
                    try connection.run("DELETE FROM outbox WHERE id = ? AND message_token = ?", record.id, record.token)
                }
            } catch {
                connection.rollBack()
                throw error
            }
            try connection.commit()
        }
        return SentMails(journal)
    }

    private init(writer: GroupCommitWriter, readers: ReaderPool, sent: SentMails?, clock: WallClock, logger: Logger) {
        self.writer = writer
        self.readers = readers
        self.sent = sent
        self.clock = clock
        self.logger = logger
    }

    /// Commits what was handed in, copies the log into the database and closes the file; further calls throw `stopped`. Blocks for as long
    /// as that takes. Closing again does nothing.
    public func close() {
        let already = stopped.withLock { stopped in
            defer { stopped = true }
            return stopped
        }
        if already { return }
        // The writer last: SQLite copies the log back and removes it when the last connection closes.
        readers.stop()
        if let sent {
            writer.finish({ transaction throws(StoreError) in try sent.delete(in: transaction) }) { result in
                // A journal that is still needed stays for the next start.
                if case .success = result { sent.removeJournal() }
            }
        }
        writer.stop()
    }

    /// As the protocol says; runs on one of the reading threads.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await readers.read { transaction throws(StoreError) in try body(transaction) }
    }

    /// As the protocol says; shares its transaction with the other writes that wait at the same time.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await writer.write { transaction throws(StoreError) in try body(transaction) }
    }

    /// As the protocol says. Codes are purged in the order of their expiry.
    public func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        try await writer.write { transaction throws(StoreError) in
            try transaction.purgeActionCodes(expiredBefore: time, limit: limit)
        }
    }

    /// Whether codes and mails can be taken now: reads, and when the last transaction failed, writes too, so that a disk with room again is
    /// noticed without a client's help.
    public func check() async throws(StoreError) {
        guard writer.lastCommitFailed else {
            _ = try await nextOutboxDueTime()
            return
        }
        try await writer.write { transaction throws(StoreError) in
            _ = try transaction.connection.run("UPDATE hash_keys SET key = key WHERE id = 1")
        }
    }

    /// Refreshes the planner's statistics where they have become wrong (sqlite.org/lang_analyze.html).
    func optimize() async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.connection.script("PRAGMA analysis_limit = 400; PRAGMA optimize;")
        }
    }
}
