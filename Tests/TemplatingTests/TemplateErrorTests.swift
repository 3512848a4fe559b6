import Templating
import Testing

@Suite struct TemplateErrorTests {
    static func error(_ source: String, _ kind: TemplateKind = .text) -> TemplateError? {
        do throws(TemplateError) {
            _ = try Template(source, kind: kind, file: "dir/body.html", variables: ["link", "appName", "a", "b"])
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{{lnik}}", 1, 1, "unknown variable 'lnik'; did you mean 'link'?"),
        ("a\n é→ {{Appname}}", 2, 5, "unknown variable 'Appname'; did you mean 'appName'?"),
        ("a\r\nb {{quite}}", 2, 3, "unknown variable 'quite'"),
        ("{{#lnik}}x{{/lnik}}", 1, 1, "unknown variable 'lnik'; did you mean 'link'?"),
        ("x {{link", 1, 3, "this '{{' is never closed"),
        ("x {{link } {{a}}", 1, 3, "this '{{' is never closed"),
        ("{{! comment", 1, 1, "this '{{' is never closed"),
        ("{{", 1, 1, "this '{{' is never closed"),
        ("{{}}", 1, 1, "a name is missing"),
        ("{{ # }}", 1, 1, "a name is a letter, then letters, digits and '_'"),
        ("{{#}}", 1, 1, "a name is missing"),
        ("{{a b}}", 1, 1, "a name is a letter, then letters, digits and '_'"),
        ("{{a.b}}", 1, 1, "a name is a letter, then letters, digits and '_'"),
        ("x {{>a}}{{/a}}", 1, 3, "there is no piece 'a'"),
        ("{{>a.b}}", 1, 1, "a name is a letter, then letters, digits and '_'"),
        ("a\n%LINK%{{lnik}}", 2, 7, "unknown variable 'lnik'; did you mean 'link'?"),
        ("{{1a}}", 1, 1, "a name is a letter, then letters, digits and '_'"),
        ("{{{a}}}", 1, 1, "a value cannot be inserted unescaped"),
        ("{{&a}}", 1, 1, "a value cannot be inserted unescaped"),
        ("\n{{#a}}\n{{link}}", 2, 1, "the section 'a' is never closed"),
        ("x{{/a}}", 1, 2, "'{{/a}}' closes nothing"),
        ("{{#a}}\n{{#b}}\n{{/a}}", 3, 1, "'{{/a}}' stands where '{{/b}}' is due, opened on line 2"),
        ("{{content}}", 1, 1, "'content' can be used in a layout or a piece only"),
        ("{{#content}}{{/content}}", 1, 1, "'content' cannot be a section"),
    ])
    func places(_ source: String, line: Int, column: Int, reason: String) throws {
        let error = try #require(Self.error(source))
        #expect(error.reason == reason)
        #expect(error.line == line)
        #expect(error.column == column)
        #expect(error.file == "dir/body.html")
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            $0.split(separator: "\r\n", omittingEmptySubsequences: false)
        }
        #expect(error.lineText == String(lines[line - 1]))
    }

    @Test(arguments: [
        ("<a href={{link}}>", 9, "inside a tag a value stands only within a quoted attribute"),
        ("<a {{a}}>", 4, "inside a tag a value stands only within a quoted attribute"),
        ("<{{a}}>", 2, "inside a tag a value stands only within a quoted attribute"),
        ("<a href=x{{a}}>", 10, "inside a tag a value stands only within a quoted attribute"),
        ("<b onClick=\"{{a}}\">", 13, "a value cannot stand in the attribute 'onclick'"),
        ("<b style='{{a}}'>", 11, "a value cannot stand in the attribute 'style'"),
        ("<b srcset='{{a}}'>", 12, "a value cannot stand in the attribute 'srcset'"),
        ("<script>{{a}}</script>", 9, "a value cannot stand inside <script>"),
        ("<STYLE x='y'>a</b></styl {{a}}</style>", 26, "a value cannot stand inside <style>"),
        ("<!-- {{a}} -->", 6, "a value cannot stand in an HTML comment or declaration"),
        ("<!-- - -> {{a}} -->", 11, "a value cannot stand in an HTML comment or declaration"),
        ("<!doctype {{a}}>", 11, "a value cannot stand in an HTML comment or declaration"),
        ("<p {{#a}}x=\"{{/a}}{{link}}\">", 13, "the section 'a' must begin and end in the same place of the markup"),
        ("{{#a}}<p title=\"{{/a}}", 17, "the section 'a' must begin and end in the same place of the markup"),
        ("<p o{{#a}}n{{/a}}x=\"\">", 12, "the section 'a' must begin and end in the same place of the markup"),
        ("<p", 3, "the file ends inside a tag, a comment or a raw text element"),
        ("<script>x</scrip>", 18, "the file ends inside a tag, a comment or a raw text element"),
        ("<!-- x", 7, "the file ends inside a tag, a comment or a raw text element"),
    ])
    func placesInHTML(_ source: String, column: Int, reason: String) throws {
        let error = try #require(Self.error(source, .html))
        #expect(error.reason == reason)
        #expect(error.column == column)
    }

    @Test func descriptionShowsTheLineWithACaret() throws {
        let error = try #require(Self.error("first\n\t<a href=\"{{lnik}}\">\nlast"))
        #expect(
            error.description == """
                dir/body.html:2:11: unknown variable 'lnik'; did you mean 'link'?
                     <a href="{{lnik}}">
                              ^
                """)
    }

    @Test func aLongLineIsCutAroundTheMistake() throws {
        let error = try #require(Self.error(String(repeating: "x", count: 5000) + "{{lnik}}" + String(repeating: "y", count: 5000)))
        let lines = error.description.split(separator: "\n")
        #expect(error.column == 5001)
        #expect(lines.count == 3)
        #expect(lines[1].count < 140)
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("{{lnik}}"))
    }

    @Test func aTerminalIsNotSpokenTo() throws {
        let error = try #require(Self.error("\u{1B}[2J{{lnik}}"))
        #expect(!error.description.contains("\u{1B}"))
    }
}
