import Testing

@testable import Routes

@Suite struct TransferDecodingTests {
    @Test(arguments: [
        ("", ""), ("a=3Db", "a=b"), ("a=3db", "a=b"), ("soft=\r\nbreak", "softbreak"), ("soft= \t\r\nbreak", "softbreak"),
        ("blanks \t\r\nend", "blanks\nend"), ("kept=20\r\n", "kept \n"), ("a=\n", "a"), ("a=", "a"), ("a=4", "a=4"), ("a=GG", "a=GG"),
        ("=3D41", "=41"), ("..", ".."),
    ])
    func quotedPrintable(encoded: String, text: String) {
        #expect(String(decoding: TransferDecoding.quotedPrintable(Array(encoded.utf8)[...]), as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("", ""), ("YQ==", "a"), ("YWI=", "ab"), ("YWJj", "abc"), ("YW\r\nJj\r\n", "abc"), ("YQ", "a"), ("YWI", "ab"), ("Y", ""),
        ("YQ==YWI=", "aab"), ("Y!Q*=", "a"), ("====", ""),
    ])
    func base64(encoded: String, text: String) {
        #expect(String(decoding: TransferDecoding.base64(Array(encoded.utf8)[...]), as: UTF8.self) == text)
    }
}
