import Crypto
import FoundationEssentials
import Glibc
import Platform
import Testing

@testable import Accounts

@Suite struct TokenKeysTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load() throws -> TokenKeys {
        try TokenKeys(folder: folder.path, algorithm: .es256, clock: clock.wall)
    }

    private func error(_ body: () throws -> Void) -> TokenKeyError? {
        do {
            try body()
            return nil
        } catch {
            return error as? TokenKeyError
        }
    }

    // MARK: First start and modes

    @Test func firstStartMakesOneKeyThatNobodyElseMayRead() throws {
        let keys = try load()
        let kid = keys.current.signingKey.keyID
        #expect(try folder.names == ["1800000000-\(kid).pem"])
        #expect(try folder.mode() == 0o700)
        #expect(try folder.mode(of: "1800000000-\(kid).pem") == 0o600)
        #expect(try load().current.signingKey.keyID == kid)
        #expect(try folder.names.count == 1)
    }

    @Test func foldersAboveAreMade() throws {
        let keys = try TokenKeys(folder: folder.path + "/deep/keys", algorithm: .es256, clock: clock.wall)
        #expect(keys.current.published.count == 1)
        #expect(try folder.mode(of: "deep") == 0o700)
    }

    @Test func theDefaultIsRSA() throws {
        #expect(try TokenKeys(folder: folder.path).current.signingKey.algorithm == .rs256)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func whatRootMakesBelongsToTheFoldersOwner() throws {
        let keys = try load()
        try #require(unsafe chown(folder.path, 1234, 1235) == 0)
        try keys.rotate()
        let owners = try folder.names.map { name -> UInt32 in
            var status = stat()
            try #require(unsafe stat(folder.path + "/" + name, &status) == 0)
            return status.st_uid
        }
        #expect(Set(owners) == [0, 1234])
    }

    // MARK: Refusals

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o660])
    func exposedFilesAreRefused(mode: Int) throws {
        _ = try load()
        let name = try #require(try folder.names.first)
        try folder.setMode(mode, of: name)
        let found = try #require(error { _ = try load() })
        #expect(found == .exposedFile(path: folder.path + "/" + name))
        #expect(found.description.contains("chmod 600 \(folder.path)/\(name)"))
    }

    @Test(arguments: [0o720, 0o702, 0o777])
    func exposedFoldersAreRefused(mode: Int) throws {
        _ = try load()
        try folder.setMode(mode)
        #expect(error { _ = try load() } == .exposedFolder(path: folder.path))
    }

    @Test(arguments: ["key.pem", "-x.pem", "1800000000.pem", "+18-x.pem", "999999999999-x.pem", "1 8-x.pem"])
    func misnamedFilesAreRefused(name: String) throws {
        _ = try load()
        try folder.write(SigningKey.generate(.es256).pem, as: name)
        #expect(error { _ = try load() } == .misnamedFile(path: folder.path + "/" + name))
    }

    @Test func aNameOfAnotherKeyIsRefused() throws {
        _ = try load()
        try folder.write(SigningKey.generate(.es256).pem, as: "1800000000-other.pem")
        #expect(error { _ = try load() } == .misnamedFile(path: folder.path + "/1800000000-other.pem"))
    }

    @Test(arguments: [("", "malformed-key"), ("nonsense", "malformed-key"), ("-----BEGIN PRIVATE KEY-----\nAAAA", "malformed-key")])
    func badPEMIsRefusedWithTheFilesName(text: String, code: String) throws {
        _ = try load()
        try folder.write(text, as: "1800000000-x.pem")
        let found = try #require(error { _ = try load() })
        guard case .unusableKey(folder.path + "/1800000000-x.pem", let cause) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(cause.code == code)
        #expect(found.description.contains("/1800000000-x.pem"))
    }

    @Test func keysForMailsDoNotSignTokens() throws {
        _ = try load()
        let key = try SigningKey.generate(.edDSA)
        try folder.write(key.pem, as: "1800000000-\(key.keyID).pem")
        let path = folder.path + "/1800000000-\(key.keyID).pem"
        #expect(error { _ = try load() } == .unusableKey(path: path, .wrongKind(.edDSA, accepted: [.rs256, .es256])))
        #expect(
            error { _ = try TokenKeys(folder: folder.path + "/new", algorithm: .edDSA) }
                == .crypto(.wrongKind(.edDSA, accepted: [.rs256, .es256])))
    }

    @Test func otherFilesAreLeftAlone() throws {
        _ = try load()
        try folder.write("notes", as: "README", mode: 0o644)
        try folder.write("half a key", as: ".new-1800000001-x.pem")
        #expect(try load().current.published.count == 1)
        #expect(try folder.names.contains("README"))
    }

    @Test func pipesAndFoldersDoNotHangTheStart() throws {
        _ = try load()
        try #require(unsafe mkfifo(folder.path + "/1800000000-x.pem", 0o600) == 0)
        #expect(
            error { _ = try load() } == .unreadableFile(path: folder.path + "/1800000000-x.pem", cause: "not a regular file"))
    }

    @Test func aFileInTheFoldersPlace() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.write("", as: "file")
        #expect(
            error { _ = try TokenKeys(folder: folder.path + "/file") }
                == .unusableFolder(path: folder.path + "/file", cause: "ENOTDIR"))
        #expect(
            error { _ = try TokenKeys(folder: folder.path + "/file/keys") }
                == .unusableFolder(path: folder.path + "/file/keys", cause: "ENOTDIR"))
    }

    // MARK: Rotation

    @Test func rotationWithinOneSecond() throws {
        let keys = try load()
        let first = keys.current.signingKey.keyID
        try keys.rotate()
        let second = keys.current.signingKey.keyID
        #expect(second != first)
        #expect(keys.current.published.map(\.keyID) == [second, first])
        #expect(try folder.names.contains("1800000001-\(second).pem"))
        try keys.rotate()
        #expect(keys.current.published.map(\.keyID) == [keys.current.signingKey.keyID, second, first])
    }

    @Test func rotationAfterTheClockWasSetBack() throws {
        let keys = try load()
        clock.advance(by: .seconds(-86_400))
        try keys.rotate()
        #expect(try folder.names.contains("1800000001-\(keys.current.signingKey.keyID).pem"))
        #expect(try load().current.signingKey.keyID == keys.current.signingKey.keyID)
    }

    @Test func anOldKeyLivesUntilItsLastTokenHasExpired() throws {
        let keys = try load()
        let first = keys.current.signingKey.keyID
        clock.advance(by: .seconds(86_400))
        try keys.rotate()
        let second = keys.current.signingKey.keyID
        // Made at second …086,400 of its day; the grace is counted from there.
        #expect(keys.current.nextChange == UnixTime(seconds: 1_800_086_400 + 3_900))

        clock.advance(by: .milliseconds(3_900_000 - 751))
        #expect(try !keys.reloadIfChanged())
        try keys.reload()
        #expect(keys.current.published.map(\.keyID) == [second, first])
        #expect(try folder.names.count == 2)

        clock.advance(by: .milliseconds(1))
        #expect(try keys.reloadIfChanged())
        #expect(keys.current.published.map(\.keyID) == [second])
        #expect(keys.current.nextChange == nil)
        #expect(try folder.names == ["1800086400-\(second).pem"])
        #expect(try !keys.reloadIfChanged())
    }

    @Test func aNewKeyIsPublishedBeforeItSigns() throws {
        let keys = try TokenKeys(folder: folder.path, algorithm: .es256, publication: .seconds(300), clock: clock.wall)
        let first = keys.current.signingKey.keyID
        #expect(keys.current.nextChange == nil)
        clock.advance(by: .seconds(86_400))
        try keys.rotate()
        let second = try #require(keys.current.published.first?.keyID)
        #expect(keys.current.signingKey.keyID == first)
        #expect(keys.current.published.map(\.keyID) == [second, first])
        clock.advance(by: .seconds(299))
        #expect(try !keys.reloadIfChanged())
        clock.advance(by: .seconds(1))
        #expect(try keys.reloadIfChanged())
        #expect(keys.current.signingKey.keyID == second)
        // The old key may have signed until then, and its tokens live for an hour and a little more.
        #expect(keys.current.nextChange == UnixTime(seconds: 1_800_086_400 + 300 + 3_900))
        clock.advance(by: .seconds(3_900))
        #expect(try keys.reloadIfChanged())
        #expect(keys.current.published.map(\.keyID) == [second])
    }

    @Test func aRunningServerSeesAnotherProcessRotate() throws {
        let keys = try load()
        let other = try load()
        #expect(try !keys.reloadIfChanged())
        try other.rotate()
        #expect(try keys.reloadIfChanged())
        #expect(keys.current.signingKey.keyID == other.current.signingKey.keyID)
        #expect(try !keys.reloadIfChanged())
    }

    @Test func aBadFileLeavesTheKeysAndIsLookedAtAgain() throws {
        let keys = try load()
        let kid = keys.current.signingKey.keyID
        let new = try SigningKey.generate(.es256)
        let name = "1800000005-\(new.keyID).pem"
        try folder.write(new.pem, as: name, mode: 0o644)
        for _ in 0..<2 {
            #expect(throws: TokenKeyError.exposedFile(path: folder.path + "/" + name)) { try keys.reloadIfChanged() }
        }
        #expect(keys.current.signingKey.keyID == kid)
        // A corrected mode leaves no trace in the folder.
        try folder.setMode(0o600, of: name)
        #expect(try keys.reloadIfChanged())
        #expect(keys.current.signingKey.keyID == new.keyID)
    }

    @Test func leftoversOfADeadProcessGoWithTheNextRotation() throws {
        let keys = try load()
        try folder.write("half a key", as: ".new-1800000001-x.pem")
        try keys.rotate()
        #expect(try folder.names.allSatisfy { !$0.hasPrefix(".") })
    }

    @Test func manyRotationsAtOnceLoseNoKey() async throws {
        let path = folder.path
        let clock = clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { try TokenKeys(folder: path, algorithm: .es256, clock: clock.wall).rotate() }
            }
            try await group.waitForAll()
        }
        // One that whoever came first made, and eight.
        #expect(try folder.names.count == 9)
        #expect(Set(try folder.names.map { $0.prefix(10) }).count == 9)
        #expect(try load().current.published.count == 9)
    }

    // MARK: Watching

    @Test func theWatcherFollowsReportsOnceAndStops() async throws {
        let keys = try load()
        let other = try load()
        let lines = Lines()
        let watcher = TokenKeyWatcher(
            keys: keys, interval: .milliseconds(5), logger: Logger(level: .info, format: .text, sink: { lines.append($0) }))
        let shutdown = Shutdown()
        let running = Task { await watcher.run(until: shutdown) }

        try other.rotate()
        try await until { keys.current.signingKey.keyID == other.current.signingKey.keyID }
        try folder.write("nonsense", as: "bad.pem")
        try await until { lines.all.contains { $0.contains("misnamed-key-file") } }
        try await Task.sleep(for: .milliseconds(40))
        #expect(lines.all.count { $0.contains("misnamed-key-file") } == 1)
        try FileManager.default.removeItem(atPath: folder.path + "/bad.pem")
        try await until { lines.all.count { $0.contains("token keys loaded") } == 2 }

        shutdown.trigger()
        await running.value
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<1000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }
}
