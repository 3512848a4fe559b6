import Templating
import Testing

@Suite struct TemplateLibraryProjectsTests {
    private static func shared() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.write("layout/pieces/b.html", "<b>{{content}}</b>")
        for language in ["en", "pt-BR"] { try folder.writeMail("signIn", language) }
        try folder.writeMail("verifyEmail", "en")
        return folder
    }

    private static func problems(_ shared: borrowing TemporaryFolder, _ own: borrowing TemporaryFolder) -> [String] {
        let root = own.path + "/"
        do throws(TemplateLibraryError) {
            _ = try TemplateLibrary(folder: shared.path, projects: ["a": own.path])
            return []
        } catch {
            return (error.problems.map { "\($0.path): \($0.reason)" } + error.mistakes.map { "\($0.file):\($0.line): \($0.reason)" })
                .map { $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0 }
        }
    }

    @Test func whatAProjectDoesNotHaveIsShared() throws {
        let shared = try Self.shared()
        let own = try TemporaryFolder()
        try own.write("signIn/en/subject.txt", "Own {{appName}}")
        try own.writeMail("signIn", "de")
        let library = try TemplateLibrary(folder: shared.path, projects: ["a": own.path], modes: ["signIn"])
        func subject(_ mode: String, _ language: String, _ project: String?) -> String? {
            library.mail(mode, language: language, project: project)?.render(["appName": "App"]).subject
        }
        #expect(subject("signIn", "en", "a") == "Own App")
        #expect(library.mail("signIn", language: "en", project: "a")?.render(["link": "l"]).text == "<text l>\n\n")
        #expect(subject("signIn", "en", "b") == "signIn en App" && subject("signIn", "en", nil) == "signIn en App")
        #expect(subject("signIn", "pt-br", "a") == "signIn pt-BR App" && subject("verifyEmail", "en", "a") == "verifyEmail en App")
        #expect(subject("signIn", "de", "a") == "signIn de App" && subject("signIn", "de", "b") == nil)
        #expect(library.languages(for: "signIn", project: "a") == ["de", "en", "pt-BR"])
        #expect(library.languages(for: "signIn", project: "b") == ["en", "pt-BR"])
        #expect(library.bestLanguage(for: "signIn", project: "a", preferred: ["de-AT"], default: "en") == "de")
        #expect(library.bestLanguage(for: "signIn", project: "b", preferred: ["de-AT"], default: "en") == "en")
    }

    @Test func aLayoutOfAProjectHoldsTheSharedMails() throws {
        let shared = try Self.shared()
        try shared.write("signIn/en/body.html", "{{>b}}{{email}}{{/b}}")
        let own = try TemporaryFolder()
        try own.write("layout/body.txt", "OWN {{content}}")
        try own.write("layout/pieces/b.html", "<i>{{content}}</i>")
        let library = try TemplateLibrary(folder: shared.path, projects: ["a": own.path])
        let mail = try #require(library.mail("signIn", language: "en", project: "a")).render(["email": "e"])
        #expect(mail.text == "OWN text ")
        #expect(mail.html.contains("<body>\n<i>e</i>\n</body>"))
        #expect(library.mail("signIn", language: "en")?.render(["email": "e"]).html.contains("<b>e</b>") == true)
    }

    @Test func mistakesOfSharedAndOwnFoldersAreReportedTogether() throws {
        let shared = try Self.shared()
        try shared.write("verifyEmail/en/body.txt", "{{one}}")
        let own = try TemporaryFolder()
        try own.write("signIn/en/body.txt", "{{two}}")
        try own.writeMail("sigIn", "en")
        try own.write("signIn/fr/subject.txt", "x")
        try own.write("signIn/PT-br/subjet.txt", "x")
        let problems = Self.problems(shared, own)
        #expect(
            problems == [
                "sigIn: there is no such mail; is it meant to be 'signIn'?",
                "signIn/PT-br: holds none of subject.txt, body.txt, body.html",
                "signIn/fr/body.txt: there is no such file",
                "signIn/fr/body.html: there is no such file",
                "\(shared.path)/verifyEmail/en/body.txt:1: unknown variable 'one'",
                "signIn/en/body.txt:1: unknown variable 'two'",
            ])
    }

    @Test func aMissingFolderIsNamed() throws {
        let shared = try Self.shared()
        #expect(throws: TemplateLibraryError.self) { try TemplateLibrary(folder: shared.path, projects: ["a": "/nowhere/at/all"]) }
    }

    @Test func wordsAreNeededWhereTheyAreShown() throws {
        let shared = try Self.shared()
        let own = try TemporaryFolder()
        try own.write("signIn/en/body.txt", "{{expiresIn}}")
        #expect(Self.problems(shared, own) == ["signIn/en: shows 'expiresIn', but there is no words/en.json with its words"])
        try own.write(
            "words/en.json",
            #"{ plurals: {}, minutes: { other: "{{count}} m" }, hours: { other: "{{count}} h" }, days: { other: "{{count}} d" }, moment: "" }"#
        )
        let library = try TemplateLibrary(folder: shared.path, projects: ["a": own.path])
        #expect(library.mail("signIn", language: "en", project: "a")?.lifetime(.seconds(21600)) == "6 h")
        try own.write("words/en.json", "{")
        #expect(Self.problems(shared, own) == ["words/en.json: not a JSON object"])
    }
}
