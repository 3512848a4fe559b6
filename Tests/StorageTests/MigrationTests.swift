import Platform
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct MigrationTests {
    private static let two = Migration(version: 2, sql: "ALTER TABLE users ADD COLUMN nickname TEXT; CREATE TABLE more (id INTEGER)")
    private static let broken = Migration(version: 2, sql: "CREATE TABLE more (id INTEGER); CREATE TABLE users (id INTEGER)")

    /// An empty database.
    private func connection(_ path: String) throws -> Connection {
        try DatabaseFile.prepare(path: path, create: true)
        return try Connection(path: path, mode: .readWrite, cacheKiB: 256)
    }

    private func tables(_ connection: Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) })
    }

    private func versions(_ connection: Connection) throws -> [Int] {
        try connection.rows("SELECT version FROM schema_migrations ORDER BY version") { $0.int(0) }
    }

    @Test func theListIsNumberedWithoutAGap() {
        #expect(Migration.all.map(\.version) == Array(1...Migration.all.count))
    }

    @Test(arguments: 0...Migration.all.count)
    func everyEarlierVersionIsBroughtUpToDate(_ version: Int) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let connection = try connection(path)
            let earlier = Array(Migration.all.prefix(version))
            try Migration.bringUpToDate(connection, path: path, role: .serving, now: start, migrations: earlier)
            let all = Migration.all + [Migration(version: Migration.all.count + 1, sql: Self.two.sql)]
            try Migration.bringUpToDate(connection, path: path, role: .serving, now: start, migrations: all)
            #expect(try versions(connection) == Array(1...all.count))
            #expect(try tables(connection).isSuperset(of: ["users", "action_codes", "outbox", "sessions", "more"]))
            // And again, which changes nothing.
            try Migration.bringUpToDate(connection, path: path, role: .serving, now: start, migrations: all)
            #expect(try versions(connection) == Array(1...all.count))
        }
    }

    @Test func aStepThatFailsLeavesTheVersionBeforeIt() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let connection = try connection(path)
            #expect(throws: SQLiteOpenError.self) {
                try Migration.bringUpToDate(
                    connection, path: path, role: .serving, now: start, migrations: [.initialSchema, Self.broken])
            }
            #expect(try versions(connection) == [1])
            #expect(try !tables(connection).contains("more"))
        }
    }

    @Test(arguments: [SQLiteStore.Role.serving, .tool])
    func aNewerDatabaseIsRefused(_ role: SQLiteStore.Role) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            try Migration.bringUpToDate(
                connection(path), path: path, role: .serving, now: start, migrations: [.initialSchema, Self.two])
            #expect(throws: SQLiteOpenError.newer(path: path, found: 2, known: 1)) {
                try Migration.bringUpToDate(
                    connection(path), path: path, role: role, now: start, migrations: [.initialSchema])
            }
        }
    }

    @Test func aToolMigratesNothing() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let connection = try connection(path)
            #expect(throws: SQLiteOpenError.older(path: path, found: 0, needed: 1)) {
                try Migration.bringUpToDate(connection, path: path, role: .tool, now: start, migrations: [.initialSchema])
            }
            #expect(try tables(connection).isEmpty)
        }
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let connection = try connection(path)
            try connection.script("CREATE TABLE notes (text TEXT)")
            #expect(throws: SQLiteOpenError.notPostern(path: path)) {
                try SQLiteStore.open(path: path, role: .serving, logger: .silent)
            }
            #expect(try tables(connection) == ["notes"])
        }
    }
}
