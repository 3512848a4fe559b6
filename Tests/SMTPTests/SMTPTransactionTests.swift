import Testing

@testable import Mail
@testable import SMTP

@Suite struct SMTPTransactionTests {
    /// A conversation: the codes that the server says, and what the client does after the last of them.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var grouped: Bool
        var resetting = false
        /// Replies; 0 stands for handing over the message.
        var codes: [Int]
        var result: SMTPTransaction.Action

        var testDescription: String { "\(name), \(grouped ? "in a group" : "one by one")" }
    }

    static let rows: [Row] = [
        Row(name: "all is well", grouped: true, codes: [250, 250, 354], result: .sendContent),
        Row(name: "all is well", grouped: false, codes: [250, 250, 354], result: .sendContent),
        Row(name: "251 for the recipient", grouped: true, codes: [250, 251, 354], result: .sendContent),
        Row(name: "accepted", grouped: true, codes: [250, 250, 354, 0, 250], result: .finished(.accepted(reply: "250"), .ready)),
        Row(
            name: "refused after the dot", grouped: true, codes: [250, 250, 354, 0, 554], result: .finished(.refused(reply: "554"), .ready)),
        Row(
            name: "deferred after the dot", grouped: false, codes: [250, 250, 354, 0, 451],
            result: .finished(.deferred(reply: "451"), .ready)),
        Row(name: "354 after the dot", grouped: true, codes: [250, 250, 354, 0, 354], result: violation("the message", 354)),
        // The sender
        Row(name: "sender refused", grouped: true, codes: [550], result: .wait),
        Row(name: "sender refused", grouped: true, codes: [550, 503, 503], result: .finished(.refused(reply: "550"), .ready)),
        Row(name: "sender refused", grouped: false, codes: [550], result: .finished(.refused(reply: "550"), .ready)),
        Row(name: "sender refused, then 354", grouped: true, codes: [550, 503, 354], result: .send(Array(".\r\n".utf8))),
        Row(name: "login wanted", grouped: true, codes: [530, 503, 503], result: .finished(.unreachable(reason: "530"), .ready)),
        // The recipient
        Row(name: "recipient refused", grouped: true, codes: [250, 550], result: .wait),
        Row(
            name: "recipient refused", grouped: true, codes: [250, 550, 503],
            result: .finished(.refused(reply: "550"), .mustReset)),
        Row(
            name: "recipient refused", grouped: true, codes: [250, 550, 554],
            result: .finished(.refused(reply: "550"), .mustReset)),
        Row(
            name: "recipient refused", grouped: false, codes: [250, 550],
            result: .finished(.refused(reply: "550"), .mustReset)),
        Row(name: "recipient deferred", grouped: true, codes: [250, 450, 451], result: .finished(.deferred(reply: "450"), .mustReset)),
        Row(name: "recipient refused, then 354", grouped: true, codes: [250, 550, 354], result: .send(Array(".\r\n".utf8))),
        Row(
            name: "lone dot refused", grouped: true, codes: [250, 550, 354, 554],
            result: .finished(.refused(reply: "550"), .mustReset)),
        Row(
            name: "lone dot accepted", grouped: true, codes: [250, 550, 354, 250],
            result: .finished(.refused(reply: "550"), .mustReset)),
        // DATA
        Row(name: "DATA refused", grouped: true, codes: [250, 250, 554], result: .finished(.refused(reply: "554"), .mustReset)),
        Row(name: "DATA deferred", grouped: false, codes: [250, 250, 451], result: .finished(.deferred(reply: "451"), .mustReset)),
        Row(name: "DATA done already", grouped: true, codes: [250, 250, 250], result: violation("DATA", 250)),
        // RSET
        Row(name: "reset", grouped: true, resetting: true, codes: [250, 250, 250, 354], result: .sendContent),
        Row(name: "reset refused", grouped: true, resetting: true, codes: [500], result: violation("RSET", 500)),
        // 421 at any time
        Row(name: "421 to RSET", grouped: true, resetting: true, codes: [421], result: .broken(.closing(reply: "421"))),
        Row(name: "421 to MAIL", grouped: true, codes: [421], result: .broken(.closing(reply: "421"))),
        Row(name: "421 to RCPT", grouped: false, codes: [250, 421], result: .broken(.closing(reply: "421"))),
        Row(name: "421 to DATA", grouped: true, codes: [250, 250, 421], result: .broken(.closing(reply: "421"))),
        Row(name: "421 after the dot", grouped: true, codes: [250, 250, 354, 0, 421], result: .broken(.closing(reply: "421"))),
        Row(
            name: "421 after a refusal", grouped: true, codes: [250, 550, 421],
            result: .finished(.refused(reply: "550"), .drop)),
        Row(
            name: "421 to the lone dot", grouped: true, codes: [250, 550, 354, 421],
            result: .finished(.refused(reply: "550"), .drop)),
        // Out of step
        Row(name: "354 to MAIL", grouped: true, codes: [354], result: violation("MAIL", 354)),
        Row(name: "354 to RCPT", grouped: true, codes: [250, 354], result: violation("RCPT", 354)),
        Row(
            name: "a reply before the message", grouped: true, codes: [250, 250, 354, 250],
            result: .broken(.protocolViolation(cause: "it did not wait for the message: 250"))),
        Row(
            name: "nonsense after a refusal", grouped: true, codes: [250, 550, 250],
            result: .finished(.refused(reply: "550"), .drop)),
    ]

    static func violation(_ command: String, _ code: Int) -> SMTPTransaction.Action {
        .broken(.protocolViolation(cause: "it answered \(command) with \(code)"))
    }

    @Test(arguments: rows) func answers(_ row: Row) {
        var capabilities = SMTPSamples.pipelining
        capabilities.pipelining = row.grouped
        var transaction = SMTPTransaction(
            envelope: SMTPSamples.envelope, size: 100, capabilities: capabilities, resetting: row.resetting)
        var result = SMTPTransaction.Action.wait
        for code in row.codes {
            if code == 0 { transaction.contentIsOnItsWay() } else { result = transaction.receive(SMTPSamples.reply(code)) }
        }
        #expect(result == row.result)
    }

    @Test func opensInAGroup() {
        #expect(opening(SMTPSamples.pipelining) == "MAIL FROM:<noreply@example.com> SIZE=100\r\nRCPT TO:<ann@example.org>\r\nDATA\r\n")
        #expect(
            opening(SMTPSamples.pipelining, resetting: true)
                == "RSET\r\nMAIL FROM:<noreply@example.com> SIZE=100\r\nRCPT TO:<ann@example.org>\r\nDATA\r\n")
    }

    @Test func opensOneByOne() {
        #expect(opening(SMTPCapabilities()) == "MAIL FROM:<noreply@example.com>\r\n")
        #expect(opening(SMTPCapabilities(), resetting: true) == "RSET\r\n")
        var transaction = SMTPTransaction(envelope: SMTPSamples.envelope, size: 1, capabilities: SMTPCapabilities(), resetting: true)
        let sent = [250, 250, 250].map { code -> String in
            guard case .send(let bytes) = transaction.receive(SMTPSamples.reply(code)) else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(sent == ["MAIL FROM:<noreply@example.com>\r\n", "RCPT TO:<ann@example.org>\r\n", "DATA\r\n"])
    }

    @Test func asksForSMTPUTF8OnlyWhenNeeded() {
        var capabilities = SMTPCapabilities()
        capabilities.smtpUTF8 = true
        #expect(opening(capabilities) == "MAIL FROM:<noreply@example.com>\r\n")
        #expect(opening(capabilities, SMTPSamples.beyondASCII) == "MAIL FROM:<noreply@example.com> SMTPUTF8\r\n")
        let without = SMTPTransaction(envelope: SMTPSamples.beyondASCII, size: 1, capabilities: SMTPCapabilities(), resetting: false)
        guard case .refused(let reply) = without.obstacle else {
            Issue.record("an address beyond ASCII was let through")
            return
        }
        #expect(reply.hasPrefix("553 5.6.7 "))
    }

    @Test(arguments: ["a\r\nRCPT TO:<evil", "a b", "a>", "<a", "a\n", "a\u{0}", "a\u{7F}"])
    func letsNoCommandThroughAnAddress(_ localPart: String) {
        let envelope = Envelope(
            sender: SMTPSamples.envelope.sender, recipient: EmailAddress(localPart: localPart, domain: "example.org"))
        let transaction = SMTPTransaction(envelope: envelope, size: 1, capabilities: SMTPCapabilities(), resetting: false)
        #expect(transaction.obstacle == .refused(reply: "553 5.1.3 an address holds a character that it cannot hold"))
    }

    private func opening(_ capabilities: SMTPCapabilities, _ envelope: Envelope = SMTPSamples.envelope, resetting: Bool = false) -> String {
        var output: [UInt8] = []
        SMTPTransaction(envelope: envelope, size: 100, capabilities: capabilities, resetting: resetting).appendOpening(to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
