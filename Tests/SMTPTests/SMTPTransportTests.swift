import Platform
import Testing

@testable import Mail
@testable import SMTP

/// What goes over the wire, and what refusals lead to.
@Suite struct SMTPTransportTests {
    private func message(_ number: Int64, to recipient: String = "ann", text: String = "Hello\r\n") -> ScriptedSource.Item {
        .message(SMTPSamples.message(number, to: recipient, text: text))
    }

    // MARK: What is sent

    @Test func sendsInAGroupAndStuffsDotsOnce() async throws {
        let run = try await LaneRun([message(1, text: ".\r\n..a\r\nMAIL FROM:<x@y>\r\n")]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            let content = try peer.expectContent()
            guard content == "Subject: 1\r\n\r\n..\r\n...a\r\nMAIL FROM:<x@y>\r\n" else { throw ScriptedServer.Peer.Problem(what: content) }
            peer.say("250 2.0.0 queued as Q1")
            try peer.expectQuit()
        }
        #expect(run.outcomes == [1: .accepted(reply: "250 2.0.0 queued as Q1")])
        #expect(run.problems == [])
        #expect(run.log.contains("0 MAIL FROM:<noreply@example.com> SIZE=39"))
    }

    @Test func sendsOneByOneWithoutPipelining() async throws {
        let run = try await LaneRun([message(1), message(2)]) { peer in
            try peer.greet(["8BITMIME"])
            for number in 1...2 {
                try peer.expect("MAIL FROM:<noreply@example.com>")
                guard peer.isSilent(for: 20) else { throw ScriptedServer.Peer.Problem(what: "did not wait for the reply to MAIL") }
                peer.say("250 a")
                try peer.expect("RCPT TO:<ann@example.org>")
                guard peer.isSilent(for: 20) else { throw ScriptedServer.Peer.Problem(what: "did not wait for the reply to RCPT") }
                peer.say("250 b")
                try peer.expect("DATA")
                peer.say("354 c")
                try peer.expectContent()
                guard peer.isSilent(for: 20) else { throw ScriptedServer.Peer.Problem(what: "did not wait for the reply to the message") }
                peer.say("250 taken \(number)")
            }
            try peer.expectQuit()
        }
        #expect(run.outcomes == [1: .accepted(reply: "250 taken 1"), 2: .accepted(reply: "250 taken 2")])
        #expect(run.problems == [])
        #expect(run.log.contains("0 MAIL FROM:<noreply@example.com>"))
    }

    /// The envelope of the next message comes before the reply to this one, its content only after this one was settled.
    @Test func overlapsEnvelopesButNeverContents() async throws {
        let run = try await LaneRun([message(1), message(2), message(3)], settling: .milliseconds(40)) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            for number in 1...3 {
                try peer.expectContent()
                if number < 3 {
                    try peer.expectEnvelope()
                    peer.send("250 taken \(number)\r\n250 a\r\n250 b\r\n354 c\r\n")
                    guard peer.isSilent(for: 20) else { throw ScriptedServer.Peer.Problem(what: "content before settlement") }
                } else {
                    peer.say("250 taken 3")
                }
            }
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes.count == 3)
        for number in 1...2 {
            #expect(run.log.position("settled \(number)") < run.log.position("0 content Subject: \(number + 1)"))
            #expect(run.log.position("taken \(number + 1)") < run.log.position("settled \(number)"))
        }
        #expect(run.log.contains("0 content Subject: 3"))
    }

    @Test func sendsLongMessages() async throws {
        let text = String(repeating: String(repeating: "x", count: 70) + "\r\n", count: 60_000)
        let run = try await LaneRun([message(1, text: text), message(2)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            peer.wait(50)
            guard try peer.expectContent().utf8.count == text.utf8.count + 14 else { throw ScriptedServer.Peer.Problem(what: "length") }
            try peer.expectEnvelope()
            peer.send("250 taken\r\n250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken"), 2: .accepted(reply: "250 taken")])
    }

    @Test func readsRepliesInPiecesAndOfManyLines() async throws {
        let run = try await LaneRun([message(1)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            for piece in ["25", "0-a\r\n250", " b\r", "\n250 c\r\n35", "4 d\r\n"] {
                peer.send(piece)
                peer.wait(5)
            }
            try peer.expectContent()
            peer.send("250-2.0.0 taken\r\n250 2.0.0 and kept\r\n")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 2.0.0 taken and kept")])
    }

    // MARK: Refusals

    @Test(arguments: ["503 5.5.1 no valid recipients", "554 5.5.1 no valid recipients"])
    func resetsAfterARefusedRecipient(_ dataReply: String) async throws {
        let run = try await LaneRun([message(1, to: "nobody"), message(2)]) { peer in
            try peer.greet()
            try peer.expectEnvelope(to: "nobody")
            peer.send("250 a\r\n550 5.1.1 no such user\r\n\(dataReply)\r\n")
            try peer.expect("RSET")
            try peer.expectEnvelope()
            peer.send("250 r\r\n250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(
            run.outcomes == [
                1: .recipientRefused(reply: "550 5.1.1 no such user", status: EnhancedStatus(5, 1, 1)), 2: .accepted(reply: "250 taken"),
            ])
    }

    @Test(arguments: ["554 5.5.1 no valid recipients", "250 taken, for nobody"])
    func answers354AfterARefusedRecipientByADot(_ dotReply: String) async throws {
        let run = try await LaneRun([message(1, to: "nobody"), message(2)]) { peer in
            try peer.greet()
            try peer.expectEnvelope(to: "nobody")
            peer.send("250 a\r\n450 4.2.0 greylisted\r\n354 go on\r\n")
            guard try peer.expectContent().isEmpty else { throw ScriptedServer.Peer.Problem(what: "content for a refused recipient") }
            peer.say(dotReply)
            try peer.expect("RSET")
            try peer.expectEnvelope()
            peer.send("250 r\r\n250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .deferred(reply: "450 4.2.0 greylisted"), 2: .accepted(reply: "250 taken")])
    }

    @Test func settlesARefusedEnvelopeThatWasBegunEarly() async throws {
        let run = try await LaneRun([message(1), message(2, to: "nobody"), message(3)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            try peer.expectEnvelope(to: "nobody")
            peer.send("250 taken\r\n250 a\r\n550 no\r\n503 no\r\n")
            try peer.expect("RSET")
            try peer.expectEnvelope()
            peer.send("250 r\r\n250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("451 4.3.0 later")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(
            run.outcomes == [
                1: .accepted(reply: "250 taken"), 2: .refused(reply: "550 no"),
                3: .deferred(reply: "451 4.3.0 later"),
            ])
    }

    @Test func refusesWhatMayNotLeave() async throws {
        let beyond = OutgoingMessage(entryID: 1, projectID: "example", envelope: SMTPSamples.beyondASCII, bytes: Array("a\r\n".utf8))
        let bare = OutgoingMessage(entryID: 2, projectID: "example", envelope: SMTPSamples.envelope, bytes: Array("a\n.\nMAIL\r\n".utf8))
        let run = try await LaneRun([.message(beyond), .message(bare), message(3), .message(beyond), .message(bare)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == ["settled 1 again", "settled 2 again"], "the two were given twice")
        #expect(run.outcomes[3] == .accepted(reply: "250 taken"))
        for number: Int64 in [1, 2] {
            guard case .refused = run.outcomes[number] else {
                Issue.record("\(number) was not refused")
                return
            }
        }
    }

    @Test func sendsUTF8WhereItIsTaken() async throws {
        let beyond = OutgoingMessage(entryID: 1, projectID: "example", envelope: SMTPSamples.beyondASCII, bytes: Array("a\r\n".utf8))
        let run = try await LaneRun([.message(beyond)]) { peer in
            try peer.greet(["PIPELINING", "SMTPUTF8", "8BITMIME"])
            try peer.expect("MAIL FROM:<noreply@example.com> SMTPUTF8")
            try peer.expect("RCPT TO:<jörg@xn--mller-kva.example>")
            try peer.expect("DATA")
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken")])
    }
}
