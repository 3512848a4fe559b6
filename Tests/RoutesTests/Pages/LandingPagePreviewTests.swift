import Foundation
import Routes
import Templating
import Testing

/// Every page in every state and every language, as it is shipped.
@Suite struct LandingPagePreviewTests {
    private static let hosting = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Hosting")

    private static let languages = Result {
        try FileManager.default.contentsOfDirectory(atPath: hosting.appending(path: "strings").path).filter { $0.hasSuffix(".json") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    private static let pages = Result { try LandingPages.library(folder: hosting.path) }

    private static func strings(_ language: String) throws -> [String: String] {
        let data = try Data(contentsOf: hosting.appending(path: "strings/\(language).json"))
        return try JSONDecoder().decode([String: String].self, from: data)
    }

    @Test func languagesAreThere() throws {
        let wanted = ["ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt-BR", "zh-Hans"]
        #expect(Set(wanted).isSubset(of: try Self.languages.get()))
    }

    /// That none is missing and none unknown is seen when the library is read; that each says something, with the same variables, here.
    @Test(arguments: try LandingPagePreviewTests.languages.get())
    func everyTextIsInEveryLanguage(_ language: String) throws {
        _ = try Self.pages.get()
        let (english, texts) = (try Self.strings("en"), try Self.strings(language))
        #expect(Set(texts.keys) == Set(english.keys))
        for (name, text) in texts {
            #expect(!text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(name)")
            #expect(Self.variables(text) == Self.variables(english[name] ?? ""), "\(name): \(text)")
            #expect(!text.contains("<") && !text.contains("&"), "\(name): texts are no HTML")
        }
        guard language != "en" else { return }
        // Left as in English by mistake: one or two words may be the same by nature.
        let same = texts.filter { $0.value == english[$0.key] }.map(\.key)
        #expect(same.isEmpty, "\(same)")
    }

    private static func variables(_ text: String) -> [Substring] {
        text.split(separator: "{{").dropFirst(text.hasPrefix("{{") ? 0 : 1).map { $0.prefix { $0 != "}" } }.sorted()
    }

    /// The texts that the program or a page asks for are the ones in the file: none is left over.
    @Test func everyTextIsShown() throws {
        let pages = try Self.pages.get()
        var html = ""
        for preview in LandingPagePreview.all { html += preview.html(from: pages, languages: ["en"], appName: "An app") }
        for (name, text) in try Self.strings("en") {
            let shown = text.replacing("{{appName}}", with: "An app")
            #expect(html.contains(shown), "\(name) is on no page")
        }
    }

    @Test func everyStateHasANameOfItsOwn() {
        let names = LandingPagePreview.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 30)
    }

    /// W3C's rules, checked by `tidy`: one run for all pages of a language.
    @Test(arguments: try LandingPagePreviewTests.languages.get())
    func theMarkupIsValid(_ language: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pages = try Self.pages.get()
        var files: [String] = []
        for preview in LandingPagePreview.all {
            let html = preview.html(from: pages, languages: [language], appName: "Anna & Ben's <app>")
            let file = folder.appending(path: preview.name + ".html")
            try Data(html.utf8).write(to: file)
            files.append(file.path)
            try Self.check(html, name: preview.name, language: language)
        }
        let tidy = Process()
        tidy.executableURL = URL(filePath: "/usr/bin/tidy")
        tidy.arguments = ["-q", "-e", "-utf8", "--gnu-emacs", "yes"] + files
        let errors = Pipe()
        tidy.standardError = errors
        tidy.standardOutput = FileHandle.nullDevice
        try tidy.run()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        tidy.waitUntilExit()
        #expect(said.isEmpty, "\(said)")
        #expect(tidy.terminationStatus == 0)
    }

    /// What `tidy` does not look at.
    private static func check(_ html: String, name: String, language: String) throws {
        func count(_ text: String) -> Int { html.components(separatedBy: text).count - 1 }
        let direction = ["ar", "he"].contains(language) ? "rtl" : "ltr"
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language)\" dir=\"\(direction)\">"), "\(name)")
        #expect(count("<h1>") == 1 && count("<title>") == 1 && count("<main>") == 1, "\(name)")
        #expect(!html.contains("<script") && !html.contains(" style="), "\(name)")
        #expect(!html.contains("{{") && !html.contains("<app>"), "\(name)")
        #expect(!html.contains("src=\"http") && !html.contains("href=\"//"), "\(name): nothing comes from elsewhere")
        // Every field has its label, and whatever describes it is there.
        for attribute in ["for", "aria-describedby"] {
            for part in html.components(separatedBy: " \(attribute)=\"").dropFirst() {
                for id in part.prefix(while: { $0 != "\"" }).split(separator: " ") {
                    #expect(count(" id=\"\(id)\"") == 1, "\(name): \(attribute) \(id)")
                }
            }
        }
        #expect(count("<label ") == count("<input class=\"field\""), "\(name)")
    }
}
