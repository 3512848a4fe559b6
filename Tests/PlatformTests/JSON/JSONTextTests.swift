import FoundationEssentials
import Platform
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: [
        ("", #""""#), ("plain/é😀", #""plain/é😀""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#),
        ("\0\u{1B}\u{1F}\u{7F}", #""\u0000\u001b\u001f\u007f""#),
    ])
    func writes(text: String, json: String) {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == json)
    }

    /// Every scalar below U+0800 and some above, each between two letters, so that nothing beside it is lost either.
    @Test func everyTextComesBack() throws {
        let scalars = (0..<0x800).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{FEFF}", "\u{10FFFF}"]
        for scalar in scalars {
            let text = "a\(Character(scalar))b"
            var bytes: [UInt8] = []
            JSONText.append(text, to: &bytes)
            var lexer = JSONLexer(bytes)
            let read = lexer.string()
            #expect(read == text)
            #expect(lexer.isAtEnd)
            #expect(try JSONDecoder().decode(String.self, from: Data(bytes)) == text)
        }
    }
}
