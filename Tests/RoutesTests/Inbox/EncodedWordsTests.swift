import Testing

@testable import Routes

@Suite struct EncodedWordsTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a = b", "a = b"),
        // The examples of RFC 2047 §8.
        ("(=?ISO-8859-1?Q?a?=)", "(a)"), ("(=?ISO-8859-1?Q?a?= b)", "(a b)"), ("(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)", "(ab)"),
        ("(=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=)", "(ab)"), ("(=?ISO-8859-1?Q?a_b?=)", "(a b)"),
        ("(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?_b?=)", "(a b)"), ("=?US-ASCII?Q?Keith_Moore?= <m@x>", "Keith Moore <m@x>"),
        ("=?ISO-8859-1?Q?Andr=E9?= Pirard", "André Pirard"),
        ("=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=", "If you can read this yo"),
        // Either case; a language; an escaped underscore.
        ("=?utf-8?q?=c3=a9?=", "é"), ("=?UTF-8*de?b?w6k=?=", "é"), ("=?utf-8?q?a=5Fb?=", "a_b"),
        // A character cut in two.
        ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", "é"),
        // Two sets beside each other, and words without a blank between them.
        ("=?utf-8?q?a?= =?iso-8859-1?q?=E9?=", "aé"), ("=?utf-8?q?a?==?utf-8?q?b?=", "ab"),
        // Not words after all.
        ("=?utf-8?q?a", "=?utf-8?q?a"), ("=?utf-8?x?a?=", "=?utf-8?x?a?="), ("=?=?=?", "=?=?=?"), ("=?utf-8?", "=?utf-8?"),
        // Raw UTF-8 (RFC 6532), and raw Latin-1 beside a word.
        ("Grüße =?utf-8?q?=21?=", "Grüße !"),
    ])
    func decodes(value: String, text: String) {
        #expect(EncodedWords.decode(Array(value.utf8)[...]) == text)
    }

    @Test func readsRawLatin1() {
        #expect(EncodedWords.decode([0x61, 0xE9]) == "aé")
    }
}
