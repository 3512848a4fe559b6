import Templating
import Testing

@Suite struct TemplateLibraryTests {
    static func error(_ folder: String, modes: [String] = []) -> TemplateLibraryError? {
        do throws(TemplateLibraryError) {
            _ = try TemplateLibrary(folder: folder, modes: modes)
            return nil
        } catch {
            return error
        }
    }

    /// Paths below the folder, with their reasons.
    static func problems(_ folder: borrowing TemporaryFolder, modes: [String] = []) throws -> [String] {
        let root = folder.path + "/"
        return try #require(error(folder.path, modes: modes)).problems.map {
            "\($0.path.hasPrefix(root) ? String($0.path.dropFirst(root.count)) : $0.path): \($0.reason)"
        }
    }

    @Test func readsAFolder() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        for (mode, language) in [("signIn", "en"), ("signIn", "pt"), ("signIn", "pt-BR"), ("resetPassword", "de")] {
            try folder.writeMail(mode, language)
        }
        // None of these is anything to the library.
        try folder.write("README.md", "{{")
        try folder.write(".git/en/subject.txt", "{{")
        try folder.write("signIn/notes.txt", "{{")
        try folder.write("signIn/en/body.html~", "{{")
        let library = try TemplateLibrary(folder: folder.path + "/", modes: ["signIn"])

        #expect(library.modes == ["resetPassword", "signIn"])
        #expect(library.languages(for: "signIn") == ["en", "pt", "pt-BR"])
        #expect(library.languages(for: "other") == [])
        #expect(library.mail("signIn", language: "PT-br")?.language == "pt-BR")
        #expect(library.mail("signIn", language: "pt-PT") == nil)
        #expect(library.mail("other", language: "en") == nil)
        #expect(library.mail("layout", language: "en") == nil)
    }

    @Test(arguments: [
        ("signIn", ["pt-BR", "en"], "de", "pt-BR"), ("signIn", ["pt-PT"], "en", "pt"), ("signIn", ["PT-br"], "en", "pt-BR"),
        ("signIn", ["fr"], "pt-AO", "pt"), ("signIn", ["fr"], "de", "en"), ("signIn", [], "pt", "pt"),
        ("signIn", ["fr", "en-GB"], "pt", "en"),
        ("resetPassword", ["fr"], "en", "de"), ("other", ["de"], "fr", "fr"),
    ])
    func bestLanguage(_ mode: String, preferred: [String], default: String, expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        for language in ["en", "pt", "pt-BR"] { try folder.writeMail("signIn", language) }
        for language in ["it", "de"] { try folder.writeMail("resetPassword", language) }
        let library = try TemplateLibrary(folder: folder.path)
        #expect(library.bestLanguage(for: mode, preferred: preferred, default: `default`) == expected)
    }

    @Test func symbolicLinksAreFollowed() throws {
        let real = try TemporaryFolder()
        try real.writeLayout()
        try real.writeMail("signIn", "en")
        let folder = try TemporaryFolder()
        try folder.link("layout", to: real.path + "/layout")
        try folder.makeFolder("signIn/de")
        for file in ["subject.txt", "body.txt", "body.html"] {
            try folder.link("signIn/de/\(file)", to: real.path + "/signIn/en/\(file)")
        }
        try folder.link("signIn/en", to: real.path + "/signIn/en")
        #expect(try TemplateLibrary(folder: folder.path).languages(for: "signIn") == ["de", "en"])
    }

    @Test func aLinkToNothingIsReported() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.link("verifyEmail", to: "nowhere")
        try folder.link("signIn/de", to: "nowhere")
        #expect(
            try Self.problems(folder) == [
                "signIn/de/subject.txt: there is no such file",
                "signIn/de/body.txt: there is no such file",
                "signIn/de/body.html: there is no such file",
                "verifyEmail: there is no such folder",
            ])
    }

    @Test func aMissingFolderIsNamed() throws {
        let error = try #require(Self.error("/nowhere/at/all"))
        #expect(error.description == "/nowhere/at/all: there is no such folder")
        #expect(Self.error("")?.problems.count == 1)
    }

    @Test func everythingMissingIsNamedAtOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("layout/body.txt", "{{content}}")
        try folder.writeMail("sigIn", "en")
        try folder.write("verifyEmail/en/body.txt", "x")
        try folder.makeFolder("empty")
        try folder.makeFolder("signOut/not a tag")
        #expect(
            try Self.problems(folder, modes: ["signIn", "verifyEmail"]) == [
                "layout/body.html: there is no such file",
                "empty: holds no folder of a language",
                "signIn: there is no such folder; is 'sigIn' meant to be it?",
                "signOut/not a tag: not a language tag",
                "verifyEmail/en/subject.txt: there is no such file",
                "verifyEmail/en/body.html: there is no such file",
            ])
    }

    @Test func aMissingLayoutIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.writeMail("signIn", "en")
        #expect(try Self.problems(folder) == ["layout: there is no such folder"])
    }

    @Test func twoSpellingsOfALanguageAreOneTooMany() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "pt-BR")
        try folder.writeMail("signIn", "pt-br")
        #expect(try Self.problems(folder) == ["signIn/pt-br: the same language as another folder in other letters"])
    }

    @Test func mistakesOfAllFilesAreReportedTogether() throws {
        let folder = try TemporaryFolder()
        try folder.write("layout/body.txt", "no content\n")
        try folder.write("layout/body.html", "<p title=\"{{content}}\">{{contnet}}</p>")
        try folder.writeMail("signIn", "en")
        try folder.write("signIn/en/body.txt", "{{lnik}}\n{{#email}}\n{{/emial}}\n{{#link}}\n{{>x.y}}")
        try folder.write("signIn/en/body.html", "{{content}}")
        let error = try #require(Self.error(folder.path))
        let root = folder.path + "/"
        #expect(error.problems.isEmpty)
        #expect(
            error.mistakes.map { "\($0.file.dropFirst(root.count)):\($0.line):\($0.column): \($0.reason)" } == [
                "layout/body.txt:1:1: a layout needs '{{content}}'",
                "layout/body.html:1:11: '{{content}}' cannot stand inside a tag, a comment or a raw text element",
                "layout/body.html:1:24: unknown variable 'contnet'; did you mean 'content'?",
                "signIn/en/body.txt:1:1: unknown variable 'lnik'; did you mean 'link'?",
                "signIn/en/body.txt:3:1: '{{/emial}}' stands where '{{/email}}' is due, opened on line 2",
                "signIn/en/body.txt:4:1: the section 'link' is never closed",
                "signIn/en/body.txt:5:1: a name is a letter, then letters, digits and '_'",
                "signIn/en/body.html:1:1: 'content' can be used in a layout or a piece only",
            ])
        #expect(error.description.contains("signIn/en/body.txt:1:1: unknown variable 'lnik'; did you mean 'link'?\n    {{lnik}}\n    ^"))
    }

    @Test(arguments: [
        ("{{content}}{{content}}", "a layout holds '{{content}}' only once"),
        ("{{#email}}{{content}}{{/email}}", "'{{content}}' cannot stand in a section"),
        ("{{content}}{{#content}}{{/content}}", "'content' cannot be a section"),
    ])
    func layoutsHoldTheContentOnce(_ layout: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.write("layout/body.txt", layout)
        #expect(Self.error(folder.path)?.mistakes.map(\.reason) == [reason])
    }

    @Test func aFileOfMistakesEnds() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.write("signIn/en/body.txt", String(repeating: "{{x}} ", count: 40_000))
        #expect(Self.error(folder.path)?.mistakes.count == 50)
    }

    @Test(
        arguments: [
            (Array(repeating: UInt8(ascii: "x"), count: 256 * 1024 + 1), "larger than 256 KiB"),
            ([0x61, 0x00, 0x62], "holds a NUL byte"),
            ([0x61, 0xFF], "not UTF-8"),
            ([0xC0, 0xAF], "not UTF-8"),
            ([0xED, 0xA0, 0x80], "not UTF-8"),
        ] as [([UInt8], String)])
    func unusableFiles(_ bytes: [UInt8], reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.write("signIn/en/body.txt", bytes: bytes)
        #expect(try Self.problems(folder) == ["signIn/en/body.txt: \(reason)"])
    }

    @Test func onlyRegularFilesAreRead() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.makeFolder("signIn/de/subject.txt")
        try folder.link("signIn/de/body.txt", to: "/dev/zero")
        try folder.link("signIn/de/body.html", to: "nowhere")
        #expect(
            try Self.problems(folder) == [
                "signIn/de/subject.txt: not a regular file", "signIn/de/body.txt: not a regular file",
                "signIn/de/body.html: there is no such file",
            ])
    }

    @Test func theLargestFileAndAByteOrderMarkAreFine() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        try folder.write("signIn/en/body.txt", bytes: Array(repeating: UInt8(ascii: "x"), count: 256 * 1024))
        try folder.write("signIn/en/subject.txt", bytes: [0xEF, 0xBB, 0xBF] + Array("Hello".utf8))
        let mail = try #require(try TemplateLibrary(folder: folder.path).mail("signIn", language: "en"))
        #expect(mail.render([:]).subject.utf8.elementsEqual("Hello".utf8))
    }
}
