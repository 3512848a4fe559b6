import Platform
import TestSupport
import Testing

@testable import Mail

/// Names, subjects, addresses and bodies of hostile pieces: whatever they are, a message has its own fields and no other, one recipient, and
/// says in both parts what it was given.
@Suite struct MIMEMessageFuzzTests {
    private static let pieces = [
        "a", "Z", "0", " ", "  ", "\t", "\r", "\n", "\r\n", "\r\n\r\n", "\r\nBcc: eve@example.net\r\n", "\nSubject: other", "\0",
        "\u{1B}[2J", "\u{7F}",
        "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}", "\u{202E}", "\u{202A}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}",
        "\u{61C}",
        "\u{206A}", "\u{FEFF}", "\"", "\\", "\\\"", "\"\"", "<", ">", "<eve@example.net>", ", eve@example.net", ";", ":", "@", "(", ")",
        "[", "]",
        "=?utf-8?Q?=0D=0ABcc:_eve=40example.net?=", "=?", "?=", "=?utf-8?B?", "=", "=3D", "=\r\n", "_", ".", "..", "\r\n.\r\n", "\n.\n",
        "From ", "\nFrom me",
        "é", "e\u{301}", "ß", "日本語", "עברית", "العربية", "👩‍👩‍👧‍👦", "🇩🇪", "\u{FFFD}", "\u{E0041}", "https://evil.example/", "www.evil.example",
        "--", "--=_",
        "word", "Grüße", "Name, with comma", String(repeating: "x", count: 80), String(repeating: "é", count: 70),
        String(repeating: " ", count: 80),
        String(repeating: "lorem ipsum ", count: 12), String(repeating: "=", count: 40),
    ]

    private static let addresses = [
        "ann@example.com", "ann.lee+news@example.com", "!#$%&'*+-/=?^_`{|}~@example.com", "jürgen@müller.example", "用户@例子.example",
        String(repeating: "a", count: 64) + "@" + String(repeating: "b", count: 63) + "." + String(repeating: "c", count: 63) + "."
            + String(repeating: "d", count: 57) + ".ex",
    ]

    private static func text(_ generator: inout SeededGenerator, upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    /// What of a text may be seen in a header, without blanks.
    private static func visible(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default:
                scalar != " " && scalar.properties.isBidiControl == false && !(0x206A...0x206F).contains(scalar.value)
                    && scalar != "\u{FEFF}"
            }
        }
    }

    /// Whether a header shows `given` and nothing else, apart from what was cut off behind `limit` octets.
    private static func shows(_ shown: String, _ given: String, limit: Int) -> Bool {
        let (left, right) = (visible(shown), visible(given))
        let isWhole = given.utf8.count <= limit
        return shown.unicodeScalars.count { $0 == " " } + left.count == shown.unicodeScalars.count
            && (isWhole ? left == right : right.starts(with: left))
            && shown.utf8.count <= limit && !(left.isEmpty && !right.isEmpty)
    }

    @Test(arguments: 0..<16)
    func nothingIsAddedAndNothingIsLost(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<40 {
            let (name, reply) = (Self.text(&generator, upTo: 9), Self.text(&generator, upTo: 9))
            let (subject, text, html) = (Self.text(&generator, upTo: 14), Self.text(&generator, upTo: 30), Self.text(&generator, upTo: 30))
            let to = try EmailAddress(Self.addresses.randomElement(using: &generator) ?? "")
            let message = MIMEMessage(
                from: Mailbox(name: name, address: try EmailAddress("noreply@example.com")),
                replyTo: Mailbox(name: reply, address: try EmailAddress(Self.addresses[round % 3])), to: to, subject: subject, text: text,
                html: html,
                date: UnixTime(seconds: Int64.random(in: 0...4_000_000_000, using: &generator)),
                messageID: MessageID(entryID: Int64(round), token: [1, 2], domain: "example.com"),
                contentLanguage: "en" + Self.text(&generator, upTo: 1),
                feedbackID: "x:" + Self.text(&generator, upTo: 3), extraFields: [HeaderField("X-Extra", subject)])
            let bytes = message.bytes(boundaryToken: (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) })
            let label = Comment("seed \(seed), round \(round)")
            let read = try StrictMessage(bytes, allowUTF8: !to.isASCII)

            let names = read.fields.map(\.name).filter { $0 != "Content-Language" }
            #expect(
                names == [
                    "Date", "From", "Reply-To", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "Feedback-ID",
                    "X-Extra", "MIME-Version", "Content-Type",
                ], label)
            #expect(try read.only("To") == to.text, label)
            let from = try StrictMessage.mailbox(read.only("From"))
            #expect(from.address == "noreply@example.com" && Self.shows(from.name, name, limit: 128), label)
            let replyTo = try StrictMessage.mailbox(read.only("Reply-To"))
            #expect(
                replyTo.address == message.replyTo?.address.text && Self.shows(replyTo.name, reply, limit: 128),
                "\(label): \(reply.debugDescription) as \(replyTo.name.debugDescription)")
            for field in ["Subject", "X-Extra"] {
                #expect(Self.shows(try StrictMessage.decoded(read.only(field)), subject, limit: 512), label)
            }
            #expect(read.parts.map(\.type) == ["text/plain", "text/html"], label)
            for (part, given) in zip(read.parts, [text, html]) {
                #expect(Self.lines(part.text) == Self.lines(given), label)
            }
            // Folded lines stay short but for what cannot be folded.
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            let long = lines.filter { $0.utf8.count > 78 && !$0.hasPrefix("To: ") && !$0.hasPrefix("Feedback-ID: ") && !$0.hasPrefix(" <") }
            #expect(long == [], label)
        }
    }

    /// Octets, since `Character` takes CRLF for one; every kind of line end counts alike.
    private static func lines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var previous = UInt8(0)
        for octet in text.utf8 {
            if octet == 0x0D || (octet == 0x0A && previous != 0x0D) {
                lines.append([])
            } else if octet != 0x0A {
                lines[lines.count - 1].append(octet)
            }
            previous = octet
        }
        return lines
    }
}
