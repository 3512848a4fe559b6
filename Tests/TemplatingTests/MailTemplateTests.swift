import Templating
import Testing

@Suite struct MailTemplateTests {
    static func mail(_ language: String) throws -> MailTemplate {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", language)
        return try #require(try TemplateLibrary(folder: folder.path).mail("signIn", language: language))
    }

    @Test func partsStandInTheirLayouts() throws {
        let mail = try Self.mail("en").render(["appName": "A & B\n", "link": "https://x/?a&b", "email": "<a@x.example>"])
        #expect(mail.subject == "signIn en A & B")
        #expect(mail.text == "<text https://x/?a&b>\nA & B\n\n")
        #expect(mail.html == "<html lang=\"en\" dir=\"ltr\"><body>\n<p>&lt;a@x.example&gt;</p>\n</body></html>\n")
    }

    @Test func languageAndDirectionAreTheTemplatesOwn() throws {
        let mail = try Self.mail("ar")
        #expect(mail.mode == "signIn")
        #expect(mail.language == "ar")
        #expect(mail.render(["language": "en", "direction": "\"><script>"]).html.hasPrefix("<html lang=\"ar\" dir=\"rtl\">"))
    }

    @Test func contentAmongTheValuesIsNothing() throws {
        let mail = try Self.mail("en").render(["content": "<b>bent</b>"])
        #expect(!mail.html.contains("bent"))
        #expect(!mail.text.contains("bent"))
    }

    @Test func namesUsed() throws {
        #expect(try Self.mail("en").variableNames == ["appName", "link", "email", "language", "direction"])
    }
}
