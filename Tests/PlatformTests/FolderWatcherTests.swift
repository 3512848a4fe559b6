import FoundationEssentials
import Platform
import Synchronization
import Testing

@Suite struct FolderWatcherTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "watched-\(UUID())")

    /// Runs `body` while a watcher counts; `told()` waits until there was one call more than at the last time.
    private func watching(_ body: (_ told: () async throws -> Int) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: root.appending(path: "signIn/en"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let counter = Counter()
        let watcher = try FolderWatcher(folders: [root.path]) { counter.value.add(1, ordering: .relaxed) }
        let shutdown = Shutdown()
        let running = Task { await watcher.run(until: shutdown) }
        var seen = 0
        try await body {
            for _ in 0..<200 where counter.value.load(ordering: .relaxed) == seen { try await Task.sleep(for: .milliseconds(10)) }
            // What belongs together is told together; give a second call the time to show itself.
            try await Task.sleep(for: .milliseconds(150))
            let now = counter.value.load(ordering: .relaxed)
            defer { seen = now }
            return now - seen
        }
        shutdown.trigger()
        await running.value
    }

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    @Test func tellsASavedFileOnce() async throws {
        try await watching { told in
            try Data("Hello".utf8).write(to: root.appending(path: "signIn/en/subject.txt"))
            #expect(try await told() == 1)
        }
    }

    @Test func tellsAFileThatTakesAnothersPlace() async throws {
        try await watching { told in
            let file = root.appending(path: "signIn/en/subject.txt")
            for text in ["Hello", "Hello again"] {
                try Data(text.utf8).write(to: file, options: .atomic)
                #expect(try await told() == 1)
            }
        }
    }

    @Test func watchesFoldersThatComeLater() async throws {
        try await watching { told in
            let folder = root.appending(path: "signIn/de")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try await told() == 1)
            try Data("Hallo".utf8).write(to: folder.appending(path: "subject.txt"))
            #expect(try await told() == 1)
            try FileManager.default.removeItem(at: folder)
            #expect(try await told() == 1)
        }
    }

    @Test func saysNothingWithoutAChange() async throws {
        try await watching { told in
            // Reading is no change. Waits two seconds for a call that must not come.
            _ = try FileManager.default.contentsOfDirectory(atPath: root.path)
            #expect(try await told() == 0)
        }
    }

    @Test func aFolderThatIsNotThereIsNoFailure() throws {
        _ = try FolderWatcher(folders: [root.path + "/nowhere"]) {}
    }
}
