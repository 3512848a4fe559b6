internal import Mail
internal import Platform

/// One step of the schema. Steps are numbered from 1 without a gap and only ever appended: what was released is never edited.
struct Migration: Sendable {
    /// The version that the schema has afterwards.
    var version: Int
    /// What leads there.
    var sql: StaticString

    /// Every step, the first one first.
    static let all: [Migration] = [.initialSchema, .rateLimits, .projectOverrides, .recipients]

    /// Brings a database to the newest version, each step in a transaction of its own.
    ///
    /// A database that is newer than `migrations` is refused: this program does not know what it would break.
    static func bringUpToDate(
        _ connection: Connection, path: String, role: SQLiteStore.Role, now: UnixTime, migrations: [Migration] = all
    ) throws(SQLiteOpenError) {
        guard let found = try SQLiteOpenError.catching(path: path, { () throws(StoreError) in try version(of: connection) }) else {
            throw .notPostern(path: path)
        }
        guard found <= migrations.count else { throw .newer(path: path, found: found, known: migrations.count) }
        guard found == migrations.count || role == .serving else { throw .older(path: path, found: found, needed: migrations.count) }
        for (index, migration) in migrations.enumerated().dropFirst(found) {
            precondition(migration.version == index + 1, "migrations are numbered without a gap")
            try SQLiteOpenError.catching(path: path) { () throws(StoreError) in try apply(migration, to: connection, now: now) }
        }
    }

    /// 0 for an empty file, nil for a database of another program.
    private static func version(of connection: Connection) throws(StoreError) -> Int? {
        let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
        if tables.isEmpty { return 0 }
        guard tables.contains("schema_migrations") else { return nil }
        return try connection.first("SELECT max(version) FROM schema_migrations") { $0.int(0) } ?? 0
    }

    private static func apply(_ migration: Migration, to connection: Connection, now: UnixTime) throws(StoreError) {
        try connection.beginWriting()
        do throws(StoreError) {
            try connection.script(
                "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)")
            try connection.script(migration.sql)
            try connection.run("INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)", migration.version, now)
        } catch {
            connection.rollBack()
            throw error
        }
        try connection.commit()
    }
}
