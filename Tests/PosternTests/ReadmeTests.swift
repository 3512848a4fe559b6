import Foundation
import Testing

@testable import postern

/// The README's table of settings is the configuration's own table, and its commands exist.
@Suite struct ReadmeTests {
    private static let text: String = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    @Test func settingsAreThoseOfTheConfiguration() {
        #expect(Self.text.contains(ConfigurationKey.markdown), "replace the README's table of settings by:\n\(ConfigurationKey.markdown)")
    }

    @Test(arguments: CommandSyntax.all.map(\.name)) func commandIsNamed(_ name: String) {
        #expect(Self.text.contains("`postern \(name)"))
    }
}
