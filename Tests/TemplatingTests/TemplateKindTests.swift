import Templating
import Testing

@Suite struct TemplateKindTests {
    static func rendered(_ value: String, _ kind: TemplateKind) throws -> String {
        try Template("[{{a}}]", kind: kind, file: "t", variables: ["a"]).render(["a": .text(value)])
    }

    @Test(arguments: [
        ("plain", "[plain]", "[plain]", "[plain]"),
        ("<&>\"'", "[&lt;&amp;&gt;&quot;&#39;]", "[<&>\"']", "[<&>\"']"),
        ("a\tb\nc", "[a\tb\nc]", "[a\tb\nc]", "[a b c]"),
        ("a\r\nb", "[a\nb]", "[a\nb]", "[a b]"),
        ("a\r\n\r\n\t b", "[a\n\n\t b]", "[a\n\n\t b]", "[a  b]"),
        ("a\rb", "[ab]", "[ab]", "[a b]"),
        ("日本語 é 🙂", "[日本語 é 🙂]", "[日本語 é 🙂]", "[日本語 é 🙂]"),
        ("שלום", "[שלום]", "[שלום]", "[שלום]"),
        // A joiner is not a bidirectional control: emoji and several scripts need it.
        ("👩\u{200D}💻", "[👩\u{200D}💻]", "[👩\u{200D}💻]", "[👩\u{200D}💻]"),
        ("", "[]", "[]", "[]"),
    ])
    func escaping(_ value: String, html: String, text: String, subject: String) throws {
        #expect(try Self.rendered(value, .html) == html)
        #expect(try Self.rendered(value, .text) == text)
        #expect(try Self.rendered(value, .subject) == subject)
    }

    static let removed: [UInt32] =
        Array(0x00...0x08) + [0x0B, 0x0C] + Array(0x0E...0x1F) + [0x7F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029]
        + Array(0x202A...0x202E) + Array(0x2066...0x2069)

    @Test func controlsAreRemoved() throws {
        for code in Self.removed {
            let scalar = try #require(Unicode.Scalar(code))
            for kind in [TemplateKind.html, .text, .subject] {
                #expect(try Self.rendered("a\(Character(scalar))b", kind) == "[ab]", "U+\(String(code, radix: 16)) in \(kind)")
            }
        }
    }

    @Test func theirNeighboursStay() throws {
        for code in [0x20, 0x7E, 0x80, 0x061B, 0x061D, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A] as [UInt32] {
            let scalar = try #require(Unicode.Scalar(code))
            for kind in [TemplateKind.html, .text, .subject] {
                let result = try Self.rendered("a\(Character(scalar))b", kind)
                #expect(result.unicodeScalars.contains(scalar), "U+\(String(code, radix: 16)) in \(kind)")
            }
        }
    }
}
