import Testing

@testable import SMTP

@Suite struct SMTPErrorTests {
    static let openings: [(opening: SMTPError.Opening, error: SMTPError)] = [
        (.init(result: 6, host: "a.example"), .cannotResolve(host: "a.example")),
        (.init(result: 7, detail: "Connection refused", host: "a"), .cannotConnect(cause: "Connection refused")),
        (.init(result: 28, host: "a"), .timedOut(stage: .opening)),
        (.init(result: 35, detail: "wrong version number", host: "a"), .tlsFailed(cause: "wrong version number")),
        (.init(result: 60, verification: 10, detail: "expired", host: "a"), .certificateExpired(cause: "expired")),
        (.init(result: 60, verification: 9, detail: "not yet", host: "a"), .certificateExpired(cause: "not yet")),
        (
            .init(
                result: 60, verification: 1, detail: "SSL: no alternative certificate subject name matches target host name 'a'", host: "a"),
            .certificateNameMismatch(cause: "SSL: no alternative certificate subject name matches target host name 'a'")
        ),
        (
            .init(result: 60, verification: 62, detail: "host name mismatch", host: "a"),
            .certificateNameMismatch(cause: "host name mismatch")
        ),
        (.init(result: 60, verification: 1, detail: "no peer", host: "a"), .certificateNotTrusted(cause: "no peer")),
        (.init(result: 60, verification: 18, detail: "self-signed", host: "a"), .certificateNotTrusted(cause: "self-signed")),
        (.init(result: 60, verification: 20, detail: "unknown issuer", host: "a"), .certificateNotTrusted(cause: "unknown issuer")),
        (.init(result: 64, replies: [greeting, ehlo], host: "a"), .tlsNotOffered),
        (.init(result: 64, replies: [greeting, ehlo, reply(454, "4.7.0 no TLS")], host: "a"), .tlsFailed(cause: "454 4.7.0 no TLS")),
        // The server repeats what it was sent; the error does not.
        (
            .init(result: 67, replies: [greeting, ehlo, reply(535, "5.7.8 wrong: AHVzZXIAaHVudGVyMg==")], host: "a"),
            .loginRefused(code: 535)
        ),
        (.init(result: 67, detail: "No known mechanisms", replies: [greeting, ehlo], host: "a"), .loginNotOffered),
        (.init(result: 8, replies: [reply(554, "5.7.1 go away")], host: "a"), .greetingRefused(reply: "554 5.7.1 go away")),
        (.init(result: 8, replies: [reply(421, "busy")], host: "a"), .greetingRefused(reply: "421 busy")),
        (.init(result: 9, replies: [greeting, reply(550, "no EHLO")], host: "a"), .greetingRefused(reply: "550 no EHLO")),
        (.init(result: 8, replies: [greeting, reply(354, "eh")], host: "a"), .protocolViolation(cause: "354 eh")),
        (.init(result: 56, detail: "reset", replies: [greeting], host: "a"), .connectionLost(cause: "reset")),
        (.init(result: 23, malformed: .noCode, host: "a"), .protocolViolation(cause: "a reply without a reply code")),
        (.init(result: 77, detail: "CAfile: none", host: "a"), .trustUnreadable(cause: "CAfile: none")),
        (.init(result: 27, detail: "out of memory", host: "a"), .setUpFailed(cause: "libcurl error 27: out of memory")),
    ]

    private static let greeting = reply(220, "mail.example")
    private static let ehlo = reply(250, "mail.example")
    private static func reply(_ code: Int, _ text: String) -> SMTPReply { SMTPSamples.reply(code, text) }

    @Test(arguments: openings) func namesWhyAConnectionFailed(_ opening: SMTPError.Opening, _ error: SMTPError) {
        #expect(SMTPError(opening) == error)
    }

    @Test func givesReasonsInOneLine() {
        let error = SMTPError(.init(result: 7, detail: "a\r\nb\u{1B}" + String(repeating: "x", count: 1000), host: "a"))
        #expect(error.reason.hasPrefix("cannot connect to the mail server: a  b x"))
        #expect(error.reason.count == 500)
        #expect(SMTPError.tlsNotOffered.reason == "the mail server does not offer STARTTLS, which is required here")
    }
}
