import FoundationEssentials
import HTTP
import Testing

@testable import Routes

@Suite struct DevelopmentFilesTests {
    /// The hosting folder of this repository.
    static let hosting = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Hosting").path

    private func withFolder(_ files: [String: [UInt8]], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder.appending(path: "postern"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: "postern/\(name)")) }
        try body(folder.path)
    }

    @Test func readsTheFilesOfThisRepository() throws {
        let files = try DevelopmentFiles(hosting: Self.hosting)
        #expect(files.page.count > 0 && files.script.count > 0 && files.styleSheet.count > 0)
    }

    @Test(
        arguments: [
            (["index.html": [0x61]], "inbox.js", "there is no such file"), ([:], "index.html", "there is no such file"),
            (["index.html": [0x61], "inbox.js": [0x61], "style.css": [0xFF]], "style.css", "not UTF-8"),
            (["index.html": [UInt8](repeating: 0x61, count: 1024 * 1024 + 1)], "index.html", "larger than 1024 KiB"),
        ] as [([String: [UInt8]], String, String)])
    func namesTheFileAndTheReason(files: [String: [UInt8]], name: String, reason: String) throws {
        try withFolder(files) { folder in
            let problem = #expect(throws: DevelopmentFiles.Problem.self) { try DevelopmentFiles(hosting: folder) }
            #expect(problem == .init(path: "\(folder)/postern/\(name)", reason: reason))
        }
    }

    @Test func aFolderIsNoFile() throws {
        try withFolder([:]) { folder in
            try FileManager.default.createDirectory(atPath: folder + "/postern/index.html", withIntermediateDirectories: false)
            let problem = #expect(throws: DevelopmentFiles.Problem.self) { try DevelopmentFiles(hosting: folder) }
            #expect(problem?.reason == "not a regular file")
        }
    }

    /// What the policy of the page would block in a browser, or what would make a mail's words into elements, is not in its files.
    @Test(arguments: [
        ("index.html", ["<script>", " style=", "<style", " onclick", " onload", "javascript:", "//"]),
        (
            "inbox.js",
            [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "srcdoc", "DOMParser", ".style",
                "allow-",
            ]
        ), ("style.css", ["@import", "url("]),
    ])
    func theFilesKeepToThePolicy(name: String, forbidden: [String]) throws {
        let text = try String(contentsOf: URL(filePath: Self.hosting + "/postern/" + name), encoding: .utf8)
        for word in forbidden { #expect(!text.contains(word), "\(word)") }
    }
}
