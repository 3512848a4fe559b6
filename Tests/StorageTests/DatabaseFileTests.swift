import Foundation
import Mail
import Platform
import SQLiteStorage
import TestSupport
import Testing

@Suite struct DatabaseFileTests {
    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func open(_ path: String, _ role: SQLiteStore.Role = .serving) throws(SQLiteOpenError) -> SQLiteStore {
        try SQLiteStore.open(path: path, role: role, logger: .silent)
    }

    @Test func filesAndFolderAreForTheirOwnerOnly() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/data/test.sqlite3"
            let store = try open(path)
            defer { store.close() }
            try await store.issue(.example(1, createdAt: start))
            #expect(try mode(folder + "/data") == 0o700)
            for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600) }
        }
    }

    @Test(arguments: [0o604, 0o602, 0o601])
    func aFileThatOthersMayAccessIsRefused(_ mode: Int) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            try open(path).close()
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(throws: SQLiteOpenError.openToOthers(path: path)) { try open(path) }
            // The remedy in the message works.
            #expect(SQLiteOpenError.openToOthers(path: path).description.hasSuffix("chmod o-rwx \(path)"))
            try FileManager.default.setAttributes([.posixPermissions: mode & 0o770], ofItemAtPath: path)
            try open(path).close()
        }
    }

    @Test func linksAndFoldersAreRefused() async throws {
        try await withTemporaryFolder { folder in
            try open(folder + "/real.sqlite3").close()
            let link = folder + "/link.sqlite3"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/real.sqlite3")
            #expect(throws: SQLiteOpenError.notARegularFile(path: link)) { try open(link) }
            #expect(throws: SQLiteOpenError.notARegularFile(path: folder)) { try open(folder) }
        }
    }

    @Test func theFoldersParentIsNotMade() async throws {
        try await withTemporaryFolder { folder in
            #expect(throws: SQLiteOpenError.cannotCreate(path: folder + "/a/b", reason: "No such file or directory")) {
                try open(folder + "/a/b/test.sqlite3")
            }
        }
    }

    @Test func oneProcessServesAndToolsWorkBesideIt() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            #expect(throws: SQLiteOpenError.missing(path: path)) { try open(path, .tool) }
            let serving = try open(path)
            #expect(throws: SQLiteOpenError.inUse(path: path)) { try open(path) }
            let tool = try open(path, .tool)
            try await serving.issue(.example(1, createdAt: start), mail: true)
            #expect(try await tool.retryOutbox(ids: nil, now: start + .seconds(9)) == 1)
            #expect(try await serving.nextOutboxDueTime() == start + .seconds(9))
            tool.close()
            serving.close()
            let next = try open(path)
            #expect(try await next.outboxCounts().waiting == 1)
            next.close()
            // A clean stop leaves nothing but the database and its lock.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["test.sqlite3", "test.sqlite3.lock"])
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefused() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            try Data(repeating: 65, count: 8192).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect {
                try open(path)
            } throws: { error in
                guard case .unavailable(path, .unavailable(cause: let cause)) = error as? SQLiteOpenError else { return false }
                return cause.contains("26")
            }
        }
    }
}
