import Platform
import Testing

/// What a text may hold is tested where it is read: `JSONReaderTests` in Routes, `CustomClaimsTests` in Accounts.
@Suite struct JSONLexerTests {
    @Test func givesTokensAndTheTextBehindThem() {
        var lexer = JSONLexer(Array(#" "a\nb" -1.50e3,true"#.utf8))
        lexer.skipSpace()
        let string = lexer.string()
        lexer.skipSpace()
        let start = lexer.position
        let number = lexer.number()
        let text = lexer.text(since: start)
        let colon = lexer.take(":")
        let comma = lexer.take(",")
        let word = lexer.take(word: "true")
        let anotherWord = lexer.take(word: "true")
        #expect(string == "a\nb")
        #expect(number == "-1.50e3")
        #expect(String(decoding: text, as: UTF8.self) == "-1.50e3")
        #expect((colon, comma, word, anotherWord) == (false, true, true, false))
        #expect(lexer.isAtEnd)
        #expect(lexer.peek == nil)
    }
}
