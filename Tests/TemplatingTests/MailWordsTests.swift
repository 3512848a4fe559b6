import Platform
import Testing

@testable import Templating

@Suite struct MailWordsTests {
    static let english = #"""
        { plurals: { one: "i = 1" }, minutes: { one: "{{count}} minute", other: "{{count}} minutes" }, hours: { one: "an hour", other: "{{count}} hours" },
          days: { one: "{{count}} day", other: "{{count}} days" }, moment: "{{day}}.{{month}}.{{year}} {{hour}}:{{minute}}" }
        """#

    static func read(_ source: String) -> (words: MailWords?, reasons: [String]) {
        var problems: [TemplateLibraryError.Problem] = []
        var mistakes: [TemplateError] = []
        let words = MailWords(source, file: "w.json", problems: &problems, mistakes: &mistakes)
        return (words, problems.map(\.reason) + mistakes.map { "\($0.file):\($0.line):\($0.column): \($0.reason)" })
    }

    @Test(arguments: [
        (21600, "6 hours"), (21599, "359 minutes"), (3600, "an hour"), (5400, "90 minutes"), (259200, "3 days"), (86400, "1 day"),
        (129600, "36 hours"), (60, "1 minute"), (1, "1 minute"), (0, "1 minute"), (-5, "1 minute"), (90, "1 minute"), (3660, "61 minutes"),
    ])
    func lifetimes(_ seconds: Int, expected: String) throws {
        #expect(try #require(Self.read(Self.english).words).lifetime(.seconds(seconds)) == expected)
    }

    @Test func moments() throws {
        let words = try #require(Self.read(Self.english).words)
        #expect(words.moment(UnixTime(seconds: 1_796_077_676)) == "30.11.2026 22:27")
        #expect(words.moment(UnixTime(seconds: 0)) == "1.1.1970 00:00")
        let months = #"months: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"], moment"#
        #expect(Self.read(Self.english.replacing("moment", with: months)).words?.moment(UnixTime(seconds: 0)) == "1.a.1970 00:00")
    }

    @Test(arguments: [
        ("moment:", "moments:", "'moment' is missing"),
        ("plurals: { one: \"i = 1\" }", "plurals: { one: \"one\" }", "plurals.one: 'one' is not a plural rule of CLDR"),
        ("plurals: { one: \"i = 1\" }", "plurals: { single: \"i = 1\" }", "plurals: 'single' is not one of zero, one, two, few, many"),
        ("hours: { one: \"an hour\", ", "hours: { ", "hours: the form 'one' is missing"),
        ("days: { one:", "days: { few: \"x\", one:", "days: 'few' has no rule in plurals"),
        ("{{count}} days", "{{cuont}} days", "w.json (days.other):1:1: unknown variable 'cuont'; did you mean 'count'?"),
        ("moment", "months: [\"x\"], moment", "months: 1 of 12"),
        ("\"{{day}}", "7, x: \"{{day}}", "moment: expected texts by name, or for months a list of texts"),
        ("{ plurals", "[ plurals", "not a JSON object"),
    ])
    func mistakes(_ text: String, _ other: String, reason: String) throws {
        let source = Self.english.replacing(text, with: other)
        #expect(source != Self.english)
        let (words, reasons) = Self.read(source)
        #expect(words == nil)
        #expect(reasons.contains(reason), "\(reasons)")
    }
}
