import Templating
import Testing

@Suite struct LiveLibraryTests {
    @Test func aBrokenTemplateLeavesTheLastGoodOneInUse() throws {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.writeMail("signIn", "en")
        let path = folder.path
        let live = try LiveLibrary { () throws(TemplateLibraryError) in try TemplateLibrary(folder: path) }
        func subject() -> String? {
            live.current.mail("signIn", language: "en")?.render(["appName": .text("App")]).subject
        }
        #expect(subject() == "signIn en App")

        try folder.write("signIn/en/subject.txt", "Hello {{appName")
        live.reload()
        #expect(subject() == "signIn en App")
        #expect(live.mistakes?.mistakes.first?.line == 1)

        try folder.write("signIn/en/subject.txt", "Hello {{appName}}")
        live.reload()
        #expect(subject() == "Hello App")
        #expect(live.mistakes == nil)
    }

    @Test func theFirstReadingMustSucceed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        #expect(throws: TemplateLibraryError.self) {
            _ = try LiveLibrary { () throws(TemplateLibraryError) in try TemplateLibrary(folder: path) }
        }
    }
}
