import Mail
import Testing

@testable import SMTP

@Suite struct SMTPReplyTests {
    static let summaries: [(code: Int, text: String, summary: String)] = [
        (250, "2.0.0 Ok: queued as 4Q1", "250 2.0.0 Ok: queued as 4Q1"),
        (250, "", "250"),
        (550, "5.1.1 no such user\n5.1.1 here", "550 5.1.1 no such user here"),
        (550, "5.1.1 no such user\n5.7.1 here", "550 5.1.1 no such user 5.7.1 here"),
        (550, "no\nstatus", "550 no status"),
        (550, "a\u{0}b\u{1B}[31mc\u{7F}d\te", "550 a b [31mc d e"),
        (550, "a\u{202E}b\u{2028}c\u{200B}d\u{85}e", "550 a b c d e"),
        (550, "Grüße 你好", "550 Grüße 你好"),
        (550, "  many   blanks  ", "550 many blanks"),
    ]

    @Test(arguments: summaries) func showsOneLine(_ code: Int, _ text: String, _ summary: String) {
        #expect(SMTPSamples.reply(code, text).summary == summary)
    }

    @Test func isNeverLongerThan500Characters() {
        #expect(SMTPSamples.reply(550, String(repeating: "x", count: 2000)).summary.count == 500)
    }

    @Test func survivesWhatIsNotUTF8() {
        #expect(SMTPReply(code: 550, text: [0x61, 0xFF, 0xC3, 0x62]).summary == "550 a\u{FFFD}\u{FFFD}b")
    }

    static let statuses: [(text: String, status: EnhancedStatus?)] = [
        ("5.1.1 no", EnhancedStatus(5, 1, 1)), ("5.7.515 no", EnhancedStatus(5, 7, 515)), ("2.0.0", EnhancedStatus(2, 0, 0)),
        ("4.7.1 ", EnhancedStatus(4, 7, 1)),
        ("", nil), ("no", nil), ("5.1", nil), ("5.1. no", nil), ("5.1.1no", nil), ("5.1.1.1 no", nil), ("3.1.1 no", nil),
        ("5.1.1234 no", nil),
        ("55.1.1 no", nil), (".1.1 no", nil), ("127.0.0.1 no", nil),
    ]

    @Test(arguments: statuses) func readsTheStatusCode(_ text: String, _ status: EnhancedStatus?) {
        #expect(SMTPSamples.reply(550, text).status == status)
    }

    enum Kind: Sendable { case none, deferred, refused, recipient, sender, senderThere, unreachable }

    static let refusals: [(code: Int, text: String, stage: SMTPReply.Stage, kind: Kind)] = [
        (250, "2.1.0 Ok", .sender, .none), (354, "go on", .message, .none),
        (550, "5.1.1 no such user", .recipient, .recipient), (550, "no such user", .recipient, .refused),
        (550, "relay not permitted", .recipient, .refused),
        (550, "5.1.1 no such user", .message, .recipient), (550, "no", .message, .refused), (550, "no", .sender, .refused),
        (550, "5.1.10 null MX", .recipient, .recipient), (550, "5.1.2 no such domain", .recipient, .recipient),
        (550, "5.1.6 moved", .recipient, .recipient), (553, "5.1.3 syntax", .recipient, .recipient),
        (551, "not here", .recipient, .refused),
        (550, "5.2.1 disabled", .recipient, .recipient), (552, "5.2.2 mailbox full", .recipient, .refused),
        (552, "full", .recipient, .refused), (554, "no", .recipient, .refused), (550, "5.4.1 no answer", .recipient, .refused),
        (550, "5.1.1 no such user", .sender, .refused),
        (552, "5.3.4 too big", .sender, .refused), (553, "5.6.7 not ASCII", .sender, .refused),
        (501, "5.1.7 bad sender", .sender, .sender), (553, "5.1.8 no such sender domain", .recipient, .sender),
        (554, "5.6.0 spam", .message, .refused), (550, "5.7.1 policy", .recipient, .refused), (550, "5.7.1 spam", .message, .refused),
        (550, "5.7.133 members only", .recipient, .refused),
        (503, "5.5.1 no", .recipient, .refused),
        (450, "4.2.0 greylisted", .recipient, .deferred), (451, "later", .sender, .deferred), (452, "4.3.1 full", .message, .deferred),
        (450, "4.1.1 not now", .recipient, .deferred), (451, "4.7.1 greylisted", .recipient, .deferred),
        (451, "4.7.1 try later", .sender, .deferred),
        (451, "4.7.26 unauthenticated", .message, .senderThere), (451, "4.7.23 SPF", .recipient, .senderThere),
        (421, "4.3.2 closing", .message, .unreachable), (421, "", .recipient, .unreachable),
        (454, "4.7.1 relay", .recipient, .unreachable), (454, "4.7.0 TLS", .sender, .unreachable),
        (530, "5.7.0 STARTTLS first", .sender, .unreachable), (530, "login first", .recipient, .unreachable),
        (535, "no", .sender, .unreachable), (538, "encrypt", .sender, .unreachable), (534, "weak", .sender, .unreachable),
        (550, "5.7.57 login first", .message, .unreachable), (550, "5.7.8 login", .recipient, .unreachable),
        (550, "5.7.1 not from you", .sender, .sender), (553, "5.7.1 not your address", .sender, .sender),
        (503, "5.5.1 login first", .sender, .unreachable), (502, "what", .sender, .unreachable),
        (550, "5.7.515 access denied", .message, .senderThere), (550, "5.7.26 unauthenticated", .message, .senderThere),
        (550, "5.7.26 unauthenticated", .recipient, .senderThere), (550, "5.7.25 no PTR", .message, .senderThere),
        (554, "5.7.708 tenant", .message, .senderThere), (550, "5.7.606 banned", .recipient, .senderThere),
        (550, "5.7.40 DMARC", .message, .senderThere), (550, "5.7.26 unauthenticated", .sender, .sender),
    ]

    @Test(arguments: refusals) func classifies(_ code: Int, _ text: String, _ stage: SMTPReply.Stage, _ kind: Kind) {
        let reply = SMTPSamples.reply(code, text)
        let expected: DeliveryOutcome? =
            switch kind {
            case .none: nil
            case .deferred: .deferred(reply: reply.summary)
            case .refused: .refused(reply: reply.summary)
            case .recipient: .recipientRefused(reply: reply.summary, status: reply.status)
            case .sender: .senderRefused(reply: reply.summary, scope: .project)
            case .senderThere: .senderRefused(reply: reply.summary, scope: .recipientDomain)
            case .unreachable: .unreachable(reason: reply.summary)
            }
        #expect(reply.refusal(at: stage) == expected)
    }

    @Test func readsCapabilities() {
        let all = SMTPCapabilities(SMTPSamples.reply(250, "mail.example PIPELINING\nPIPELINING\nSIZE 1000\nsmtputf8\nAUTH PLAIN"))
        #expect(all.pipelining && all.size && all.smtpUTF8)
        let none = SMTPCapabilities(SMTPSamples.reply(250, "PIPELINING\nXPIPELINING\nSIZED"))
        #expect(none == SMTPCapabilities())
    }
}
