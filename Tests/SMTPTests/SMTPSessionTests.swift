import Mail
import Testing

@testable import SMTP

@Suite struct SMTPSessionTests {
    @Test func carriesTheNextEnvelopeBehindTheDot() {
        var session = SMTPSession(capabilities: SMTPSamples.pipelining)
        var output: [UInt8] = []
        #expect(session.begin(SMTPSamples.envelope, size: 1, to: &output) == nil)
        session.receive("250 a\r\n250 b\r\n354 c\r\n".utf8)
        #expect(session.step() == .sendContent)
        session.contentIsOnItsWay()
        output = []
        #expect(session.begin(SMTPSamples.envelope, size: 2, to: &output) == nil)
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("MAIL FROM:<noreply@example.com> SIZE=2\r\n"))
        // All four replies at once: the first finishes the one, the others open the next.
        session.receive("250 taken\r\n250 a\r\n250 b\r\n354 c\r\n".utf8)
        #expect(session.step() == .finished(.accepted(reply: "250 taken")))
        #expect(!session.isQuiet)
        #expect(session.step() == .sendContent)
        session.contentIsOnItsWay()
        session.receive("250 taken too\r\n".utf8)
        #expect(session.step() == .finished(.accepted(reply: "250 taken too")))
        #expect(session.isQuiet)
        #expect(session.step() == .receive)
    }

    @Test func resetsBeforeTheNextEnvelopeAfterARefusedRecipient() {
        var session = SMTPSession(capabilities: SMTPSamples.pipelining)
        var output: [UInt8] = []
        #expect(session.begin(SMTPSamples.envelope, size: 1, to: &output) == nil)
        session.receive("250 a\r\n550 b\r\n503 c\r\n".utf8)
        #expect(session.step() == .finished(.refused(reply: "550 b")))
        for expected in ["RSET\r\n", "MAIL F"] {
            output = []
            #expect(session.begin(SMTPSamples.envelope, size: 1, to: &output) == nil)
            #expect(String(decoding: output.prefix(6), as: UTF8.self) == expected)
            session.receive("\(expected == "RSET\r\n" ? "250 r\r\n" : "")250 a\r\n250 b\r\n354 c\r\n".utf8)
            #expect(session.step() == .sendContent)
            session.contentIsOnItsWay()
            session.receive("250 taken\r\n".utf8)
            #expect(session.step() == .finished(.accepted(reply: "250 taken")))
        }
    }

    static let unasked: [(said: String, step: SMTPSession.Step)] = [
        ("421 idle\r\n", .broken(.closing(reply: "421 idle"))),
        ("250 what\r\n", .broken(.protocolViolation(cause: "it said unasked: 250 what"))),
        ("garbage\r\n", .broken(.protocolViolation(cause: "a reply without a reply code"))),
    ]

    @Test(arguments: unasked) func breaksOnWhatWasNotAskedFor(_ said: String, _ step: SMTPSession.Step) {
        var session = SMTPSession(capabilities: SMTPSamples.pipelining)
        session.receive(said.utf8)
        #expect(!session.isQuiet)
        #expect(session.step() == step)
        #expect(!session.isUsable)
    }

    @Test func settlesTheMessageButNotTheConnection() {
        var session = SMTPSession(capabilities: SMTPSamples.pipelining)
        var output: [UInt8] = []
        #expect(session.begin(SMTPSamples.envelope, size: 1, to: &output) == nil)
        session.receive("250 a\r\n550 b\r\n421 c\r\n".utf8)
        #expect(session.step() == .finished(.refused(reply: "550 b")))
        #expect(!session.isUsable)
    }

    @Test func addsNothingForAMessageThatCannotGo() {
        var session = SMTPSession(capabilities: SMTPSamples.pipelining)
        var output: [UInt8] = []
        #expect(session.begin(SMTPSamples.beyondASCII, size: 1, to: &output) != nil)
        #expect(output.isEmpty)
        #expect(session.isQuiet)
    }
}
