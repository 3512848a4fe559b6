internal import Mail
internal import Platform

/// One step of the schema. Steps are numbered from 1 without a gap and only ever appended: what was released is never edited.
struct Migration: Sendable {
    /// The version that the schema has afterwards.
    var version: Int
    /// What leads there.
    var sql: StaticString

    /// Every step, the first one first.
    static let all: [Migration] = [.initialSchema]

    /// Brings a database to the newest version, each step in a transaction of its own.
    ///
    /// A database that is newer than `migrations` is refused: this program does not know what it would break.
    static func bringUpToDate(
        _ connection: Connection, path: String, role: SQLiteStore.Role, now: UnixTime, migrations: [Migration] = all
    ) throws(SQLiteOpenError) {
        do throws(StoreError) {
            let foreign = try connection.first("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'") { $0.int(0) } ?? 0
            let ours =
                try connection.first("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'") {
                    $0.int(0)
                } == 1
            guard ours || foreign == 0 else { throw SQLiteOpenError.notPostern(path: path) }
            if !ours {
                guard role == .serving else { throw SQLiteOpenError.older(path: path, found: 0, needed: migrations.count) }
                try connection.script(
                    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)")
            }
            let found = try connection.first("SELECT max(version) FROM schema_migrations") { $0.int(0) } ?? 0
            guard found <= migrations.count else { throw SQLiteOpenError.newer(path: path, found: found, known: migrations.count) }
            guard found == migrations.count || role == .serving else {
                throw SQLiteOpenError.older(path: path, found: found, needed: migrations.count)
            }
            for (index, migration) in migrations.enumerated().dropFirst(found) {
                precondition(migration.version == index + 1, "migrations are numbered without a gap")
                try apply(migration, to: connection, now: now)
            }
        } catch let error as SQLiteOpenError {
            throw error
        } catch let error as StoreError {
            throw .unavailable(path: path, error)
        } catch {
            preconditionFailure("an error of a third kind")
        }
    }

    private static func apply(_ migration: Migration, to connection: Connection, now: UnixTime) throws(StoreError) {
        try connection.beginWriting()
        do throws(StoreError) {
            try connection.script(migration.sql)
            try connection.run("INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)", migration.version, now)
        } catch {
            connection.rollBack()
            throw error
        }
        try connection.commit()
    }
}
