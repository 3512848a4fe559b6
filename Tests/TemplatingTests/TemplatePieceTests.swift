import Templating
import Testing

@Suite struct TemplatePieceTests {
    private static func mail(_ body: String, pieces: [String: String], _ values: [String: TemplateValue] = [:]) throws -> String {
        let folder = try folder(body, pieces: pieces)
        return try #require(try TemplateLibrary(folder: folder.path).mail("signIn", language: "en")).render(values).html
    }

    private static func folder(_ body: String, pieces: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.writeLayout()
        try folder.write("layout/body.html", "{{content}}")
        try folder.writeMail("signIn", "en")
        try folder.write("signIn/en/body.html", body)
        for (name, text) in pieces { try folder.write("layout/pieces/\(name)", text) }
        return folder
    }

    private static func reasons(_ body: String, pieces: [String: String]) throws -> [String] {
        let folder = try folder(body, pieces: pieces)
        do throws(TemplateLibraryError) {
            _ = try TemplateLibrary(folder: folder.path)
            return []
        } catch {
            return error.mistakes.map {
                "\($0.file.split(separator: "/").suffix(3).joined(separator: "/")):\($0.line):\($0.column): \($0.reason)"
            }
        }
    }

    private static let pieces = [
        "b.html": "<b>{{content}}</b>\n", "p.html": "<p>{{content}}</p>\n\n",
        "link.html": "{{#link}}<a href=\"{{link}}\">{{content}}</a>{{/link}}{{^link}}-{{/link}}",
        "nested.html": "{{#email}}1{{#code}}2{{content}}3{{/code}}4{{#code}}5{{/code}}{{/email}}6",
        "b.txt": "*{{content}}*\n", "notes.md": "{{", "with-dash.html": "{{content}}",
    ]

    @Test(
        arguments: [
            ("{{>b}}x{{/b}}", [:], "<b>x</b>"),
            ("{{> p }}a {{>b}}{{email}}{{/b}} c{{/p}}\n{{>p}}d{{/p}}", ["email": "<e>"], "<p>a <b>&lt;e&gt;</b> c</p>\n<p>d</p>"),
            ("{{>p}}\nline\n{{/p}}\nnext", [:], "<p>line\n</p>next"),
            ("{{>link}}x{{/link}}", ["link": "https://x/?a&b"], "<a href=\"https://x/?a&amp;b\">x</a>"),
            ("{{>link}}x{{/link}}", ["link": "javascript:x"], "<a href=\"\">x</a>"),
            ("{{>link}}x{{/link}}", [:], "-"),
            ("{{#email}}{{>link}}{{email}}{{/link}}{{/email}}!", ["email": "e", "link": "https://x"], "<a href=\"https://x\">e</a>!"),
            ("{{#email}}{{>link}}{{email}}{{/link}}{{/email}}!", ["link": "https://x"], "!"),
            ("0{{>nested}}{{#link}}x{{/link}}{{/nested}}7", ["email": "e", "code": "c", "link": "l"], "012x34567"),
            ("0{{>nested}}{{#link}}x{{/link}}{{/nested}}7", ["email": "e", "code": "c"], "01234567"),
            ("0{{>nested}}{{#link}}x{{/link}}{{/nested}}7", ["email": "e"], "01467"),
            ("0{{>nested}}{{#link}}x{{/link}}{{/nested}}7", ["code": "c"], "067"),
            ("{{>nested}}{{>nested}}x{{/nested}}{{/nested}}", ["email": "e", "code": "c"], "1212x3456345" + "6"),
        ] as [(String, [String: TemplateValue], String)])
    func rendering(_ body: String, _ values: [String: TemplateValue], expected: String) throws {
        #expect(try Self.mail(body, pieces: Self.pieces, values) == expected)
    }

    @Test(arguments: [
        ("{{>bb}}x{{/bb}}", "signIn/en/body.html:1:1: there is no piece 'bb'; did you mean 'b'?"),
        ("x\n{{>p}}x", "signIn/en/body.html:2:1: the piece 'p' is never closed"),
        ("{{>p}}{{#email}}x{{/p}}", "signIn/en/body.html:1:18: '{{/p}}' stands where '{{/email}}' is due, opened on line 1"),
        ("<a title=\"{{>b}}x{{/b}}\">", "signIn/en/body.html:1:11: a piece cannot stand inside a tag, a comment or a raw text element"),
        ("{{>p}}<i {{/p}}>", "signIn/en/body.html:1:10: the piece 'p' must begin and end in the same place of the markup"),
        ("{{>p}}{{unknown}}{{/p}}", "signIn/en/body.html:1:7: unknown variable 'unknown'"),
    ])
    func mistakes(_ body: String, mistake: String) throws {
        #expect(try Self.reasons(body, pieces: Self.pieces) == [mistake])
    }

    @Test(arguments: [
        ("<b>", "layout/pieces/x.html:1:1: a piece needs '{{content}}'"),
        ("{{content}}{{content}}", "layout/pieces/x.html:1:12: a piece holds '{{content}}' only once"),
        (
            "<b title=\"{{content}}\">",
            "layout/pieces/x.html:1:11: '{{content}}' cannot stand inside a tag, a comment or a raw text element"
        ),
        ("{{>b}}{{content}}{{/b}}", "layout/pieces/x.html:1:1: there is no piece 'b'"),
        ("{{lnik}}{{content}}", "layout/pieces/x.html:1:1: unknown variable 'lnik'; did you mean 'link'?"),
    ])
    func mistakesInPieces(_ piece: String, mistake: String) throws {
        #expect(try Self.reasons("", pieces: ["x.html": piece]) == [mistake])
    }

    @Test func textHasPiecesOfItsOwn() throws {
        let folder = try Self.folder("", pieces: Self.pieces)
        try folder.write("signIn/en/body.txt", "a {{>b}}{{email}}{{/b}}\n")
        let mail = try #require(try TemplateLibrary(folder: folder.path).mail("signIn", language: "en"))
        #expect(mail.render(["email": "<e>"]).text.hasPrefix("<a *<e>*>"))
        #expect(mail.variableNames.contains("email"))
    }
}
