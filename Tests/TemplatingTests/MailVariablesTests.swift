import Templating
import Testing

@Suite struct MailVariablesTests {
    @Test func table() {
        #expect(
            MailVariables.names == [
                "appName", "email", "newEmail", "displayName", "link", "code", "notMeLink", "expiresIn", "requestedAt", "language",
                "direction", "replyTo",
            ])
        for (name, meaning) in MailVariables.all { #expect(!meaning.isEmpty && !meaning.contains("\\"), "\(name)") }
    }
}
