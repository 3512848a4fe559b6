import TestSupport
import Testing

@testable import Routes

@Suite struct MIMEReaderTests {
    @Test func readsAlternatives() {
        let mail = MIMEReader(Samples.alternative)
        #expect(
            mail.headers == [
                .init(name: "From", value: "Jürgen Ünal <noreply@example.com>"), .init(name: "To", value: "ann@example.com"),
                .init(name: "Subject", value: "Anmelden bei Schöne Grüße, einer App mit einem ziemlich langen Namen – heute noch"),
                .init(name: "MIME-Version", value: "1.0"),
                .init(name: "Content-Type", value: "multipart/alternative; boundary=\"===============1==\""),
            ])
        #expect(mail.text == "Grüß dich,\n\nhttps://x.example/__/auth/action?apiKey=k&oobCode=AbC-_1\n\nEuro €\n")
        #expect(mail.html == "<p>Grüß <b>dich</b></p>\n")
    }

    @Test func readsBase64() {
        let mail = MIMEReader(Samples.base64)
        #expect(mail.headers.first?.value == "日本語の件名、とても長いのでいくつかの語に分けられます")
        #expect(mail.text == "日本語の本文\n")
        #expect(mail.html == nil)
    }

    @Test func readsLatin1AndLeavesAttachmentsOut() {
        let mail = MIMEReader(Samples.latin1)
        #expect(mail.text == "Café und Straße\n")
        #expect(mail.html == nil)
    }

    @Test(
        arguments: [
            // Nothing at all, and what has no header.
            ("", "", nil),
            ("just words", "just words", nil),
            ("\r\nbody", "body", nil),
            ("no colon here\r\nA: b\r\n\r\nc", "no colon here\nA: b\n\nc", nil),
            // Bare line feeds.
            ("A: b\n\nline\nline", "line\nline", nil),
            // A header without an end.
            ("A: b", "", nil),
            // HTML alone.
            ("Content-Type: TEXT/HTML\r\n\r\n<p>", nil, "<p>"),
            // A multipart that does not say where its parts begin, or never begins one: its body as text.
            ("Content-Type: multipart/mixed\r\n\r\n--x\r\n\r\na", "--x\n\na", nil),
            ("Content-Type: multipart/mixed; boundary=y\r\n\r\n--x\r\n\r\na", "--x\n\na", nil),
            // No last delimiter; blanks behind a delimiter; text before the first.
            ("Content-Type: multipart/mixed; boundary=x\r\n\r\nskip\r\n--x \t\r\n\r\na", "a", nil),
            ("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\na\r\n--x--\r\nafter", "a", nil),
            // A delimiter's line end belongs to it, and only that one.
            ("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\na\r\n\r\n--x--", "a\n", nil),
            // A longer word is another delimiter.
            ("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\na\r\n--xy\r\nb\r\n--x--", "a\n--xy\nb", nil),
            // Parts in parts; the first of each kind counts.
            (
                "Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n"
                    + "--i\r\n\r\ntext\r\n--i\r\nContent-Type: text/html\r\n\r\n<i>\r\n--i--\r\n--o\r\n\r\nsecond\r\n--o--", "text", "<i>"
            ),
            // A kind that is not shown, alone.
            ("Content-Type: application/x\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA", "AAAA", nil),
            // A boundary with a semicolon and an escape inside of its quotation marks.
            ("Content-Type: multipart/mixed; boundary=\"a;\\\"b\"\r\n\r\n--a;\"b\r\n\r\nin\r\n--a;\"b--", "in", nil),
            // An unknown encoding and an unknown charset change nothing.
            ("Content-Transfer-Encoding: x\r\nContent-Type: text/plain; charset=x\r\n\r\n=41ü", "=41ü", nil),
        ] as [(String, String?, String?)])
    func readsWhatItIsGiven(message: String, text: String?, html: String?) {
        let mail = MIMEReader(Array(message.utf8))
        #expect(mail.text == text)
        #expect(mail.html == html)
    }

    @Test func partsAreFollowedToADepth() {
        func nested(_ depth: Int) -> String {
            (0..<depth).reversed().reduce("\r\ndeep") { inner, level in
                "Content-Type: multipart/mixed; boundary=b\(level)x\r\n\r\n--b\(level)x\r\n\(inner)\r\n--b\(level)x--"
            }
        }
        #expect(MIMEReader(Array(nested(MIMEReader.deepest).utf8)).text == "deep")
        // Deeper, it is still shown, but as it came.
        #expect(MIMEReader(Array(nested(MIMEReader.deepest + 1).utf8)).text?.hasPrefix("--b0x\n") == true)
        #expect(MIMEReader(Array(nested(2000).utf8)).text?.hasPrefix("--b0x\n") == true)
    }

    @Test(
        arguments: [
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF8", [0x61, 0xE9], "a\u{FFFD}"), ("iso-8859-1", [0xC3, 0xA9], "Ã©"),
            ("us-ascii", [0xE9], "é"),
            ("us-ascii", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func charsets(name: String, bytes: [UInt8], text: String) {
        #expect(MIMEReader(Array("Content-Type: text/plain; charset=\(name)\r\n\r\n".utf8) + bytes).text == text)
    }

    @Test func headersUnfoldAndKeepOrder() {
        let mail = MIMEReader(Array("B: 1\r\n\t two\r\nA:x  \r\nb: 3\r\n continued\r\nC :old\r\n\r\n".utf8))
        #expect(
            mail.headers == [
                .init(name: "B", value: "1\t two"), .init(name: "A", value: "x"), .init(name: "b", value: "3 continued"),
                .init(name: "C", value: "old"),
            ])
    }

    /// Whatever the bytes: no crash, and something to show.
    @Test(arguments: [Samples.alternative, Samples.base64, Samples.latin1])
    func survivesMutations(message: [UInt8]) {
        var random = SeededGenerator(seed: UInt64(message.count))
        let spice = Array("=?\r\n:;\"-_ \t\\\0é".utf8)
        for _ in 0..<300 {
            var bytes = message
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[at] = spice.randomElement(using: &random) ?? 0
                case 2: bytes.remove(at: at)
                case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 40)], at: Int.random(in: 0..<bytes.count, using: &random))
                default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...60, using: &random)))
                }
            }
            let mail = MIMEReader(bytes)
            #expect(mail.text != nil || mail.html != nil)
        }
    }

    /// Time grows with the message, not with its square: a square would take minutes here.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "=?", "=?u?q?", "=?u?b?YQ==?= ", "http", "http://", "--x\r\n", "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
            "A: b\r\n",
            "A: b\r\n c\r\n", "\r\n", "=\r\n", ";", "\"",
        ])
    func takesItsTimeInProportion(piece: String) throws {
        let body = String(repeating: piece, count: 32_000 / piece.utf8.count)
        for prefix in ["", "Subject: ", "Content-Type: ", "\r\n", "Content-Type: multipart/mixed; boundary=x\r\n\r\n"] {
            let mail = CaughtMail(
                id: "1", project: "", envelope: try Samples.envelope(), receivedAt: Samples.time, bytes: Array((prefix + body).utf8))
            #expect(mail.text != nil || mail.html != nil)
        }
    }
}
