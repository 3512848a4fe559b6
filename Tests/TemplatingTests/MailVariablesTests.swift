import FoundationEssentials
import Templating
import Testing

@Suite struct MailVariablesTests {
    @Test func names() {
        #expect(MailVariables.all.count == MailVariables.names.count)
        for (name, meaning) in MailVariables.all { #expect(!meaning.isEmpty && !meaning.contains("|"), "\(name)") }
    }

    /// The README shows the table as it is.
    @Test func theReadmeHasTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(decoding: Data(contentsOf: root.appending(path: "README.md")), as: UTF8.self)
        #expect(readme.contains(MailVariables.markdown), "replace the README's table of variables by:\n\(MailVariables.markdown)")
    }

    @Test func everyPlaceholderOfFirebaseIsInTheTable() {
        for name in ["%APP_NAME%", "%DISPLAY_NAME%", "%EMAIL%", "%LINK%", "%NEW_EMAIL%"] {
            #expect(MailVariables.markdown.contains("`\(name)`"), "\(name)")
        }
    }
}
