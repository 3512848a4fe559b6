import Templating
import Testing

@Suite struct TemplateTests {
    static let variables: Set = ["a", "b", "email", "link", "continueURL", "path", "language", "name_2"]

    static func template(_ source: String, _ kind: TemplateKind = .text) throws -> Template {
        try Template(source, kind: kind, file: "t", variables: variables)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let source: String
        let values: [String: TemplateValue]
        let expected: String
        var testDescription: String { source.debugDescription }

        init(_ source: String, _ values: [String: TemplateValue] = [:], _ expected: String) {
            self.source = source
            self.values = values
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case("", [:], ""),
        Case("plain } }} { text", [:], "plain } }} { text"),
        Case("Hello {{a}}!", ["a": "Ann"], "Hello Ann!"),
        Case("{{a}}{{a}}{{b}}", ["a": "1", "b": "2"], "112"),
        Case("{{ a }}{{\tname_2 }}", ["a": "1", "name_2": "2"], "12"),
        Case("[{{a}}]", [:], "[]"),
        Case("[{{a}}]", ["a": true], "[]"),
        Case("[{{a}}]", ["a": "{{b}}", "b": "no"], "[{{b}}]"),
        Case("x{{! a {{ comment }}y", [:], "xy"),
        Case("x{{! over\ntwo lines }}y", [:], "xy"),
        Case("é{{a}}→{{b}}🙂", ["a": "ü", "b": "漢"], "éü→漢🙂"),
    ])
    func insertion(_ test: Case) throws {
        #expect(try Self.template(test.source).render(test.values) == test.expected)
    }

    @Test(arguments: [
        Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", ["a": "x"], "yes"),
        Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", ["a": true], "yes"),
        Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", ["a": ""], "no"),
        Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", ["a": false], "no"),
        Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", [:], "no"),
        Case("{{#a}}1{{#b}}2{{/b}}3{{/a}}4", ["a": "x"], "134"),
        Case("{{#a}}1{{#b}}2{{/b}}3{{/a}}4", ["a": "x", "b": true], "1234"),
        Case("{{#a}}1{{#b}}2{{/b}}3{{/a}}4", ["b": true], "4"),
        Case("{{#a}}{{#a}}{{a}}{{/a}}{{/a}}", ["a": "x"], "x"),
        Case("{{#a}}{{/a}}{{^b}}{{/b}}", ["a": "x"], ""),
        Case("{{#a}}1{{/a}}{{#b}}2{{/b}}", ["b": "x"], "2"),
        Case("{{# a }}1{{/ a }}", ["a": "x"], "1"),
    ])
    func sections(_ test: Case) throws {
        #expect(try Self.template(test.source).render(test.values) == test.expected)
    }

    @Test(arguments: [
        // Alone on a line.
        Case("1\n{{#a}}\n2\n{{/a}}\n3\n", ["a": true], "1\n2\n3\n"),
        Case("1\n{{#a}}\n2\n{{/a}}\n3\n", [:], "1\n3\n"),
        Case("1\n  {{#a}}\t \n2\n\t{{/a}}\n3\n", ["a": true], "1\n2\n3\n"),
        Case("1\r\n{{#a}}\r\n2\r\n{{/a}}\r\n3", ["a": true], "1\r\n2\r\n3"),
        Case("{{#a}}\n1\n{{/a}}", ["a": true], "1\n"),
        Case("{{#a}}\n1\n  {{/a}}  ", ["a": true], "1\n"),
        Case("1\n{{! note }}\n2", [:], "1\n2"),
        Case("1\n{{! note\n over lines }}\n2", [:], "1\n2"),
        Case("1\n{{#a}}\n{{#b}}\n2\n{{/b}}\n{{/a}}\n3", ["a": true, "b": true], "1\n2\n3"),
        // Not alone.
        Case("1\n{{a}}\n2", [:], "1\n\n2"),
        Case("1\n {{#a}}2{{/a}} \n3", ["a": true], "1\n 2 \n3"),
        Case("1\n{{#a}}{{/a}}\n2", ["a": true], "1\n\n2"),
        Case("1 {{#a}}\n2\n{{/a}} 3", ["a": true], "1 \n2\n 3"),
        Case("1\n{{! x }} {{! y }}\n2", [:], "1\n \n2"),
    ])
    func standaloneLines(_ test: Case) throws {
        #expect(try Self.template(test.source).render(test.values) == test.expected)
    }

    @Test(arguments: [
        Case("Sign in to {{a}}\n", ["a": "A"], "Sign in to A"),
        Case("  Sign\tin\r\nto {{a}}", ["a": "A\r\nBcc: x@example.org"], "Sign in to A Bcc: x@example.org"),
        Case("{{#a}}\nHello {{a}}\n{{/a}}\n", ["a": "Ann"], "Hello Ann"),
        Case("{{a}} & <b>", ["a": "Tom & 'Jo'"], "Tom & 'Jo' & <b>"),
        Case(" {{a}} ", [:], ""),
    ])
    func subjects(_ test: Case) throws {
        #expect(try Self.template(test.source, .subject).render(test.values) == test.expected)
    }

    @Test(arguments: [
        Case("<p title=\"{{a}}\">{{a}}</p>", ["a": "<&>\"'"], "<p title=\"&lt;&amp;&gt;&quot;&#39;\">&lt;&amp;&gt;&quot;&#39;</p>"),
        Case("<title>{{a}}</title>", ["a": "</title>"], "<title>&lt;/title&gt;</title>"),
        Case("{{a}}", ["a": "&amp;"], "&amp;amp;"),
        Case("<a href='{{link}}'>", ["link": "https://x.example/?a=1&b='"], "<a href='https://x.example/?a=1&amp;b=&#39;'>"),
        Case("<p class=\"x{{#a}} y{{/a}}\">", ["a": true], "<p class=\"x y\">"),
        Case("<p {{#a}}class=\"x\"{{/a}}>", ["a": true], "<p class=\"x\">"),
        Case("<style>.a{color:red}@media x{.b{c:d}}</style>{{a}}", ["a": "1"], "<style>.a{color:red}@media x{.b{c:d}}</style>1"),
        Case("1 < 2 {{a}} <3 {{a}}", ["a": "x"], "1 < 2 x <3 x"),
        Case("<!-- <p --><!doctype html><!-->{{a}}", ["a": "x"], "<!-- <p --><!doctype html><!-->x"),
    ])
    func html(_ test: Case) throws {
        #expect(try Self.template(test.source, .html).render(test.values) == test.expected)
    }

    @Test(arguments: ["https://x", "HTTPS://x", "http://x", "Intent://x#Intent;end", "intent:x"])
    func linksThatShow(_ value: String) throws {
        let values: [String: TemplateValue] = ["link": .text(value), "continueURL": .text(value)]
        #expect(try Self.template("<a href=\"{{link}}\">", .html).render(values) == "<a href=\"\(value)\">")
        #expect(try Self.template("<img SRC = '{{continueURL}}'>", .html).render(values) == "<img SRC = '\(value)'>")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:x", "\tjavascript:x", "java\nscript:x", "\u{1}javascript:x",
        "\u{202E}javascript:x", "data:text/html,x", "vbscript:x", "file:///x", "//x.example", "/path", "x", " https://x", "https:/x",
        "\u{200E}https://x", "",
    ])
    func linksThatDoNotShow(_ value: String) throws {
        let values: [String: TemplateValue] = ["link": .text(value), "continueURL": .text(value)]
        #expect(try Self.template("<a href=\"{{link}}\">", .html).render(values) == "<a href=\"\">")
        #expect(try Self.template("<a x href = '{{continueURL}}'>", .html).render(values) == "<a x href = ''>")
        #expect(try Self.template("<form ACTION=\"{{link}}\">", .html).render(values) == "<form ACTION=\"\">")
        #expect(try Self.template("<a href=\"https://x/?u={{link}}\">", .html).render(values) == "<a href=\"https://x/?u=\">")
    }

    @Test func linksOutsideAttributesOfAddressesShowAsTheyAre() throws {
        let values: [String: TemplateValue] = ["link": "x<y"]
        #expect(try Self.template("<p title=\"{{link}}\">{{link}}", .html).render(values) == "<p title=\"x&lt;y\">x&lt;y")
        #expect(try Self.template("{{link}}").render(values) == "x<y")
    }

    @Test(arguments: [
        Case("<a href=\"{{path}}\">", ["path": "javascript:x"], "<a href=\"\">"),
        Case("<a href=\" {{path}}\">", ["path": "javascript:x"], "<a href=\" \">"),
        Case("<a href=\"java{{path}}\">", ["path": "script:x"], "<a href=\"java\">"),
        Case("<a href=\"{{#a}}/{{/a}}{{path}}\">", ["path": "javascript:x"], "<a href=\"\">"),
        Case("<a href=\"{{path}}\">", ["path": "/x?a=b:c"], "<a href=\"/x?a=b:c\">"),
        Case("<a href=\"{{path}}\">", ["path": "x"], "<a href=\"x\">"),
        Case("<a href=\"{{path}}\">", ["path": "MAILTO:x"], "<a href=\"MAILTO:x\">"),
        Case("<a href=\"mailto:{{email}}\">", ["email": "a:b@x"], "<a href=\"mailto:a:b@x\">"),
        Case("<a href=\"/x/{{path}}\">", ["path": "javascript:x"], "<a href=\"/x/javascript:x\">"),
        Case("<a title=\"x:\" href=\"{{path}}\">", ["path": "javascript:x"], "<a title=\"x:\" href=\"\">"),
    ])
    func otherValuesNeverMakeAScheme(_ test: Case) throws {
        #expect(try Self.template(test.source, .html).render(test.values) == test.expected)
    }

    @Test func namesUsed() throws {
        #expect(try Self.template("{{a}}{{#b}}{{a}}{{/b}}{{! link }}").variableNames == ["a", "b"])
        #expect(try Self.template("none").variableNames.isEmpty)
    }

    @Test func contentIsNeverSettableFromOutside() throws {
        #expect(throws: TemplateError.self) {
            try Template("{{content}}", kind: .html, file: "t", variables: ["content"])
        }
        #expect(throws: TemplateError.self) {
            try Template("{{#content}}{{/content}}", kind: .html, file: "t", variables: ["content"])
        }
    }

    /// Random sources out of the language's own pieces: parsing ends in a template or an error, and nothing else.
    @Test(arguments: [TemplateKind.html, .text, .subject])
    func noSourceCrashes(_ kind: TemplateKind) {
        let pieces = [
            "{{", "}}", "{", "}", "#", "^", "/", "!", "a", "link", "content", " ", "\n", "\r\n", "<", ">", "<a href=\"", "\"", "'", "=",
            "<!--", "-->", "<style>", "</style>", "é", "{{#a}}", "{{/a}}", "{{a}}", "&",
        ]
        var random = SplitMix(state: 7)
        var parsed = 0
        for _ in 0..<3000 {
            let source = (0..<Int.random(in: 0...14, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let template = try? Template(source, kind: kind, file: "t", variables: Self.variables) else { continue }
            parsed += 1
            let rendered = template.render(["a": "\r\n<\"'>\u{202E}"])
            #expect(!rendered.unicodeScalars.contains("\u{202E}"))
            switch kind {
            case .html: #expect(!rendered.contains("<\"'>"))
            case .subject: #expect(!rendered.utf8.contains { $0 == 10 || $0 == 13 })
            case .text: break
            }
        }
        #expect(parsed > 300)
    }
}

/// A small repeatable generator.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
