import Mail
import Platform
import Testing

@Suite struct MIMEMessageTests {
    static func message(subject: String = "Sign in", text: String = "Hello\n", html: String = "<p>Hello</p>\n") throws -> MIMEMessage {
        MIMEMessage(
            from: try Mailbox("Example <noreply@example.com>"), replyTo: try Mailbox("help@example.com"),
            to: try EmailAddress("ann@example.org"),
            subject: subject, text: text, html: html, date: UnixTime(seconds: 1_796_077_676),
            messageID: MessageID(entryID: 42, token: [0x5F, 0x0C], domain: "example.com"), contentLanguage: "en")
    }

    static let token: [UInt8] = Array(0..<12)

    static func string(_ message: MIMEMessage) -> String { String(decoding: message.bytes(boundaryToken: token), as: UTF8.self) }

    /// The lines of the header, unfolded.
    static func header(_ message: MIMEMessage) -> [Substring] {
        let text = string(message).replacing("\r\n ", with: " ")
        return text[..<(text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)].split(separator: "\r\n")
    }

    @Test func isExactlyThis() throws {
        let expected = """
            Date: Mon, 30 Nov 2026 22:27:56 +0000
            From: Example <noreply@example.com>
            Reply-To: help@example.com
            To: ann@example.org
            Subject: Sign in
            Message-ID: <42.5f0c@example.com>
            Auto-Submitted: auto-generated
            X-Auto-Response-Suppress: All
            Content-Language: en
            MIME-Version: 1.0
            Content-Type: multipart/alternative;
             boundary="=_000102030405060708090a0b"

            --=_000102030405060708090a0b
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Hello

            --=_000102030405060708090a0b
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <p>Hello</p>

            --=_000102030405060708090a0b--

            """
        #expect(Self.string(try Self.message()) == expected.replacing("\n", with: "\r\n"))
    }

    @Test(arguments: [
        ("a\r\nBcc: eve@example.com", "a Bcc: eve@example.com"), ("a\nb", "a b"), ("a\rb", "a b"),
        ("a\u{2028}b\u{85}c\0d\u{1B}e\u{202E}f", "a b cdef"),
        ("  spaces  inside  ", "spaces  inside"), ("", ""), ("\r\n\r\n", ""),
    ])
    func noSubjectAddsAField(_ subject: String, _ shown: String) throws {
        var message = try Self.message(subject: subject)
        message.from.name = subject
        message.contentLanguage = "en\r\nBcc: eve@example.com"
        message.feedbackID = "a:b\r\nBcc: eve@example.com"
        message.extraFields = [HeaderField("X-Extra", subject)]
        let header = Self.header(message)
        #expect(header.contains(where: { $0 == "Subject: \(shown)" || (shown.isEmpty && $0.hasPrefix("Subject:")) }))
        #expect(
            header.map { $0.prefix { $0 != ":" } } == [
                "Date", "From", "Reply-To", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "Feedback-ID",
                "X-Extra",
                "MIME-Version", "Content-Type",
            ])
    }

    @Test(arguments: [
        "plain ASCII that is long enough to be folded at one of its blanks because it has more than seventy-six characters",
        String(repeating: "x", count: 400), String(repeating: "x ", count: 300),
        "Grüße aus Köln und noch viel mehr Text, damit gefaltet werden muss",
        String(repeating: "日本語の件名", count: 20), String(repeating: "👩‍👩‍👧‍👦", count: 40), "=?utf-8?Q?not_one?=",
    ])
    func foldsWithin78(_ subject: String) throws {
        var message = try Self.message(subject: subject)
        message.extraFields = [HeaderField("X-Extra", subject)]
        let lines = Self.string(message).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { 0x20..<0x7F ~= $0 } })
    }

    @Test(arguments: [
        (".\n..\nFrom me\nFromage\n", "=2E\r\n=2E.\r\n=46rom me\r\nFromage\r\n"), ("a \nb\t\nc ", "a=20\r\nb=09\r\nc=20"),
        ("a   \n", "a  =20\r\n"),
        ("a\rb\r\nc\n\rd", "a\r\nb\r\nc\r\n\r\nd"), ("1+1=2, said Ann", "1+1=3D2, said Ann"), ("", ""), (" ", "=20"),
        (String(repeating: "a", count: 75), String(repeating: "a", count: 75)),
        (String(repeating: "a", count: 76), String(repeating: "a", count: 75) + "=\r\na"),
        (String(repeating: "a", count: 75) + ".", String(repeating: "a", count: 75) + "=\r\n=2E"),
        (
            String(repeating: "a", count: 74) + "é" + String(repeating: "b", count: 90),
            String(repeating: "a", count: 74) + "=\r\n=C3=A9" + String(repeating: "b", count: 69) + "=\r\n"
                + String(repeating: "b", count: 21)
        ),
        (String(repeating: "a", count: 74) + " \nb", String(repeating: "a", count: 74) + "=\r\n=20\r\nb"),
    ])
    func quotesThus(_ text: String, _ quoted: String) throws {
        let message = Self.string(try Self.message(text: text))
        #expect(message.contains("Content-Transfer-Encoding: quoted-printable\r\n\r\n\(quoted)\r\n--=_0001"))
    }

    @Test func usesBase64WhereQuotingIsLonger() throws {
        let message = Self.string(
            try Self.message(text: "これは日本語のメールです。\n二行目。\n", html: "<p>Only a few <b>ümläüts</b> in here, as is usual</p>"))
        #expect(message.contains("text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n44GT44KM44Gv"))
        #expect(message.contains("text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n"))
        let lines = Self.string(try Self.message(text: String(repeating: "日", count: 500))).split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func theBoundaryCannotOccurInABody() throws {
        let forged = "\n--=_000102030405060708090a0b--\n\n--=_000102030405060708090a0b\nContent-Type: text/html\n\nevil"
        for body in [forged, forged + String(repeating: "日", count: 200)] {
            let message = Self.string(try Self.message(text: body, html: body))
            #expect(message.ranges(of: "--=_000102030405060708090a0b").count == 3)
            #expect(message.hasSuffix("\r\n--=_000102030405060708090a0b--\r\n"))
        }
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (1_800_000_000, "Fri, 15 Jan 2027 08:00:00 +0000"), (-5, "Thu, 01 Jan 1970 00:00:00 +0000"),
        (9_223_372_036_854_775, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ])
    func datesInUTC(_ seconds: Int64, _ expected: String) throws {
        var message = try Self.message()
        message.date = UnixTime(seconds: seconds)
        #expect(Self.header(message).first == "Date: \(expected)")
    }

    @Test func cutsLongSubjectsAtACharacter() throws {
        let message = Self.string(try Self.message(subject: String(repeating: "a ", count: 400)))
        let subject = message.split(separator: "\r\nMessage-ID").first?.split(separator: "Subject: ").last?.replacing("\r\n", with: "")
        #expect(subject?.utf8.count == 511)
    }
}
