import Accounts
import ActionCodes
import FoundationEssentials
import Platform
import Routes
import Templating
import TestSupport

/// What every fixture shares because it costs time to make: signing keys, templates, pages in two languages.
struct FixtureResources: Sendable {
    let tokenKeys: TokenKeys
    let templates: TemplateLibrary
    let pages: PageLibrary
    let files: DevelopmentFiles

    static let shared = Result { try FixtureResources() }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-routes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        tokenKeys = try TokenKeys(folder: folder.appending(path: "keys").path, clock: ManualClock().wallClock)
        templates = try TemplateLibrary(
            folder: Self.root.appending(path: "Templates").path, modes: ActionCodes.Operation.offered.map(\.mode))
        files = try DevelopmentFiles(hosting: Self.root.appending(path: "Hosting").path)
        pages = try LandingPages.library(folder: try Self.bilingualHosting(in: folder))
    }

    /// The repository's pages with a second language, whose texts are the first one's behind `DE `.
    private static func bilingualHosting(in folder: URL) throws -> String {
        let hosting = folder.appending(path: "hosting")
        try FileManager.default.copyItem(at: root.appending(path: "Hosting"), to: hosting)
        // Languages that come later change no fixture.
        for file in try FileManager.default.contentsOfDirectory(atPath: hosting.appending(path: "strings").path) where file != "en.json" {
            try FileManager.default.removeItem(at: hosting.appending(path: "strings/\(file)"))
        }
        let english = try Data(contentsOf: hosting.appending(path: "strings/en.json"))
        let strings = try JSONDecoder().decode([String: String].self, from: english)
        try JSONEncoder().encode(strings.mapValues { "DE " + $0 }).write(to: hosting.appending(path: "strings/de.json"))
        return hosting.path
    }
}
