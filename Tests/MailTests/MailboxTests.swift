import Mail
import Testing

@Suite struct MailboxTests {
    @Test(arguments: [
        ("noreply@example.com", String?.none), ("Example <noreply@example.com>", "Example"),
        ("  Example App  <NoReply@Example.com> ", "Example App"),
        ("\"Example, Inc.\" <noreply@example.com>", "Example, Inc."), ("\"a \\\"b\\\" \\\\c\" <noreply@example.com>", "a \"b\" \\c"),
        ("<noreply@example.com>", nil), ("Müller & Söhne <noreply@example.com>", "Müller & Söhne"),
        ("\"<evil@example.org>\" <noreply@example.com>", "<evil@example.org>"),
    ])
    func parses(_ text: String, _ name: String?) throws {
        let mailbox = try Mailbox(text)
        #expect(mailbox.name == name)
        #expect(mailbox.address.text == "noreply@example.com")
    }

    @Test(arguments: [
        ("", EmailAddressError.empty), ("Example", .missingAt), ("Example <noreply@example.com", .misplacedBrackets),
        ("Example noreply@example.com>", .misplacedBrackets), ("a <b> <noreply@example.com>", .misplacedBrackets),
        ("\"open <noreply@example.com>", .misplacedBrackets), ("\"a\" b <noreply@example.com>", .misplacedBrackets), ("Example <>", .empty),
        ("a@example.com, b@example.com", .whiteSpace), ("a@example.com,b@example.com", .severalAts),
    ])
    func refuses(_ text: String, _ error: EmailAddressError) {
        #expect(throws: error) { try Mailbox(text) }
    }

    @Test(arguments: [
        (String?.none, "noreply@example.com"), ("Example", "Example <noreply@example.com>"),
        ("Example, Inc.", "\"Example, Inc.\" <noreply@example.com>"), ("a \"b\" \\c", "\"a \\\"b\\\" \\\\c\" <noreply@example.com>"),
        ("Müller", "=?utf-8?Q?M=C3=BCller?= <noreply@example.com>"), ("日本", "=?utf-8?B?5pel5pys?= <noreply@example.com>"),
        ("a\r\nBcc: eve@example.com", "\"a Bcc: eve@example.com\" <noreply@example.com>"), ("a\u{202E}b\0c", "abc <noreply@example.com>"),
        ("=?utf-8?Q?x?=", "=?utf-8?B?PT91dGYtOD9RP3g/PQ==?= <noreply@example.com>"), ("\r\n", "noreply@example.com"),
    ])
    func encodes(_ name: String?, _ expected: String) throws {
        #expect(Mailbox(name: name, address: try EmailAddress("noreply@example.com")).headerValue == expected)
    }

    @Test func foldsAndCutsLongNames() throws {
        let address = try EmailAddress("noreply@example.com")
        for name in [
            String(repeating: "word ", count: 60), String(repeating: "é", count: 300), String(repeating: "👩‍👩‍👧", count: 90),
            "e" + String(repeating: "\u{301}", count: 900),
        ] {
            let value = Mailbox(name: name, address: address).headerValue
            #expect(("Reply-To: " + value).split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
            #expect(value.utf8.count < 600)
            #expect(value.hasSuffix(" <noreply@example.com>"))
        }
    }
}
