import FoundationEssentials
import Glibc
import Platform
import Testing

@Suite struct PrivateFileTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "postern-platform-\(UUID().uuidString)").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func mode(_ name: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int)
        }
    }

    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func makesAFileForItsOwnerOnly() throws {
        let path = folder.path + "/secret"
        #expect(try PrivateFile.contents(path) { [1, 2, 3] } == [1, 2, 3])
        #expect(try folder.mode("secret") == 0o600)
        #expect(try PrivateFile.contents(path) { preconditionFailure("there is one") } == [1, 2, 3])
    }

    @Test func readsOneThatIsThere() throws {
        let path = folder.path + "/secret"
        try Data([9]).write(to: URL(filePath: path))
        #expect(try PrivateFile.contents(path) { [1] } == [9])
    }

    @Test func followsNoSymbolicLink() throws {
        let target = folder.path + "/target"
        try Data([9]).write(to: URL(filePath: target))
        for (name, destination) in [("to-file", target), ("to-nothing", folder.path + "/absent")] {
            let link = folder.path + "/" + name
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
            let failure = #expect(throws: PrivateFile.Failure.self) { try PrivateFile.contents(link) { [1] } }
            #expect(failure?.number == ELOOP && failure?.path == link)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/absent"))
    }

    @Test func tellsWhatFailed() throws {
        let path = folder.path + "/absent/secret"
        let failure = #expect(throws: PrivateFile.Failure.self) { try PrivateFile.contents(path) { [1] } }
        #expect(failure?.number == ENOENT)
        #expect(failure?.description == "cannot create \(path): No such file or directory")
        #expect(throws: PrivateFile.Failure.self) { try PrivateFile.contents(folder.path) { [1] } }
    }

    @Test func readsAtMost64KiB() throws {
        let path = folder.path + "/large"
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: path))
        #expect(try PrivateFile.contents(path) { [] }.count == 65_536)
    }

    @Test func makesAFolderForItsOwnerOnly() throws {
        let path = folder.path + "/inner"
        try PrivateFile.makeFolder(path)
        #expect(try folder.mode("inner") == 0o700)
        try PrivateFile.makeFolder(path)
        #expect(throws: PrivateFile.Failure.self) { try PrivateFile.makeFolder(path + "/a/b") }
    }
}
