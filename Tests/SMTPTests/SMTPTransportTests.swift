import Platform
import Testing

@testable import Mail
@testable import SMTP

@Suite struct SMTPTransportTests {
    typealias Item = ScriptedSource.Item

    struct Run {
        let log: EventLog
        let outcomes: [Int64: DeliveryOutcome]

        var problems: [String] { log.all.filter { $0.contains("problem") || $0.contains("again") } }
    }

    /// Runs one lane over `items` against a server that plays `scripts`, to its end.
    private func run(
        _ items: [Item], settling: Duration = .zero, timeout: Duration = .seconds(3), username: String? = nil,
        tls: SMTPServer.TLS = .off, _ scripts: ScriptedServer.Script...
    ) async throws -> Run {
        let log = EventLog()
        let scripted = try ScriptedServer(log, scripts)
        let server = try SMTPServer(
            url: "smtp://127.0.0.1:\(scripted.port)", username: username, password: username.map { _ in Secret("hunter2") }, tls: tls,
            helo: "client.example", connections: 1, timeout: timeout)
        let source = ScriptedSource(items, log: log, settling: settling)
        let transport = SMTPTransport(server: server)
        await Task(executorPreference: ThreadExecutor(name: "lane")) { await transport.runLane(0, source: source) }.value
        // The server's last entry is written when it has seen the client go.
        for _ in 0..<1000 where scripts.indices.contains(where: { log.contains("\($0) closed") }) == false {
            try await Task.sleep(for: .milliseconds(1))
        }
        withExtendedLifetime(scripted) {}
        return Run(log: log, outcomes: source.outcomes)
    }

    private func message(_ number: Int64, to recipient: String = "ann", text: String = "Hello\r\n") -> Item {
        .message(SMTPSamples.message(number, to: recipient, text: text))
    }

    // MARK: What is sent

    @Test func sendsInAGroupAndStuffsDotsOnce() async throws {
        let run = try await run([message(1, text: ".\r\n..a\r\nMAIL FROM:<x@y>\r\n")]) { peer in
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
        let run = try await run([message(1), message(2)]) { peer in
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
        let run = try await run([message(1), message(2), message(3)], settling: .milliseconds(40)) { peer in
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
        let run = try await run([message(1, text: text), message(2)]) { peer in
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
        let run = try await run([message(1)]) { peer in
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
        let run = try await run([message(1, to: "nobody"), message(2)]) { peer in
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
        #expect(run.outcomes == [1: .refused(reply: "550 5.1.1 no such user"), 2: .accepted(reply: "250 taken")])
    }

    @Test(arguments: ["554 5.5.1 no valid recipients", "250 taken, for nobody"])
    func answers354AfterARefusedRecipientByADot(_ dotReply: String) async throws {
        let run = try await run([message(1, to: "nobody"), message(2)]) { peer in
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
        let run = try await run([message(1), message(2, to: "nobody"), message(3)]) { peer in
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
            run.outcomes == [1: .accepted(reply: "250 taken"), 2: .refused(reply: "550 no"), 3: .deferred(reply: "451 4.3.0 later")])
    }

    @Test func refusesWhatMayNotLeave() async throws {
        let beyond = OutgoingMessage(entryID: 1, envelope: SMTPSamples.beyondASCII, bytes: Array("a\r\n".utf8))
        let bare = OutgoingMessage(entryID: 2, envelope: SMTPSamples.envelope, bytes: Array("a\n.\nMAIL\r\n".utf8))
        let run = try await run([.message(beyond), .message(bare), message(3), .message(beyond), .message(bare)]) { peer in
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
        let beyond = OutgoingMessage(entryID: 1, envelope: SMTPSamples.beyondASCII, bytes: Array("a\r\n".utf8))
        let run = try await run([.message(beyond)]) { peer in
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

    // MARK: Connections that end

    @Test(arguments: [true, false]) func opensANewConnectionWhenTheIdleOneHasEnded(_ says421: Bool) async throws {
        let run = try await run(
            [message(1), .after("0 closed"), message(2)],
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 1")
                if says421 { peer.say("421 4.4.2 idle") }
            },
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 2")
                try peer.expectQuit()
            })
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken 1"), 2: .accepted(reply: "250 taken 2")])
    }

    /// A reply too many would be taken for the reply to the next command.
    @Test func leavesAConnectionOnWhichItHasLostCount() async throws {
        let run = try await run(
            [message(1), .after("0 said too much"), message(2)],
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 1")
                peer.wait(20)
                peer.say("250 and again")
                peer.note("said too much")
                try peer.expectEnd()
            },
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 2")
                try peer.expectQuit()
            })
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken 1"), 2: .accepted(reply: "250 taken 2")])
    }

    /// The server ends the connection when the next envelope has gone out already, by 421 or without a word.
    @Test(arguments: ["421 4.7.0 enough\r\n", ""]) func beginsAgainOnceOnANewConnection(_ word: String) async throws {
        let run = try await run(
            [message(1), message(2)],
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                try peer.expectEnvelope()
                peer.send("250 taken 1\r\n" + word)
            },
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 2")
                try peer.expectQuit()
            })
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken 1"), 2: .accepted(reply: "250 taken 2")])
    }

    @Test func doesNotBeginAgainOnANewConnectionThatFails() async throws {
        let run = try await run([message(1)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.say("421 4.3.2 not now")
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .unreachable(reason: "the mail server is closing the connection: 421 4.3.2 not now")])
    }

    @Test func saysThatAMessageMayHaveBeenTaken() async throws {
        let run = try await run(
            [message(1), message(2)],
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                try peer.expectEnvelope()
            },
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("421 4.3.0 disk full")
            })
        #expect(run.problems == [])
        #expect(
            run.outcomes[1]
                == .unreachable(
                    reason: "the connection to the mail server was lost: closed by the server "
                        + "(after the message was sent: it may have been taken)"))
        // A 421 is a no.
        #expect(run.outcomes[2] == .unreachable(reason: "the mail server is closing the connection: 421 4.3.0 disk full"))
    }

    @Test func hearsARefusalInTheMiddleOfAMessage() async throws {
        let text = String(repeating: String(repeating: "x", count: 70) + "\r\n", count: 200_000)
        let run = try await run([message(1, text: text)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            peer.wait(30)
            peer.say("552 5.3.4 too big")
            peer.wait(30)
        }
        // Whether the reply or the reset arrives first is the network's choice; a success it cannot be.
        switch run.outcomes[1] {
        case .refused("552 5.3.4 too big"): break
        case .unreachable(let reason):
            #expect(reason.hasPrefix("the connection to the mail server was lost") && !reason.contains("may have been"))
        default: Issue.record("\(String(describing: run.outcomes[1]))")
        }
    }

    @Test func closesAnIdleConnection() async throws {
        let run = try await run(
            [message(1), .idle, message(2)],
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 1")
                try peer.expectQuit()
            },
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("250 a\r\n250 b\r\n354 c\r\n")
                try peer.expectContent()
                peer.say("250 taken 2")
                try peer.expectQuit()
            })
        #expect(run.problems == [])
        #expect(run.log.position("0 QUIT") < run.log.position("taken 2"))
    }

    @Test func opensNothingWithoutAMessage() async throws {
        let log = EventLog()
        let scripted = try ScriptedServer(log, [])
        let server = try SMTPServer(url: "smtp://127.0.0.1:\(scripted.port)", tls: .off)
        await SMTPTransport(server: server).runLane(0, source: ScriptedSource([.idle, .gap], log: log))
        #expect(log.all == [])
        withExtendedLifetime(scripted) {}
    }

    // MARK: Servers that misbehave

    @Test(arguments: [
        ("hello\r\n", "a reply without a reply code"),
        ("250-a\r\n550 b\r\n", "a reply whose lines have different codes"),
        ("250 \(String(repeating: "x", count: 3000))\r\n", "a reply line of more than 2048 bytes"),
        (String(repeating: "250-x\r\n", count: 101), "a reply of more than 100 lines"),
        ("354 what\r\n", "it answered MAIL with 354 what"),
    ])
    func dropsAConnectionThatTalksNonsense(_ said: String, _ cause: String) async throws {
        let run = try await run([message(1)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send(said)
            try peer.expectEnd()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .unreachable(reason: "the mail server broke the protocol: \(cause)")])
    }

    @Test func waitsForSlowRepliesButNotForSilence() async throws {
        let run = try await run([message(1), message(2)], timeout: .seconds(1)) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            // Each reply has its own second.
            for reply in ["250 a", "250 b", "354 c"] {
                peer.wait(600)
                peer.say(reply)
            }
            try peer.expectContent()
            try peer.expectEnvelope()
            peer.send("250 taken\r\n250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            // A byte now and then is not a reply.
            for byte in "2500" {
                peer.wait(400)
                peer.send(String(byte))
            }
            peer.wait(400)
        }
        #expect(run.problems == [])
        #expect(run.outcomes[1] == .accepted(reply: "250 taken"))
        #expect(
            run.outcomes[2]
                == .unreachable(reason: "the mail server did not reply in time (after the message was sent: it may have been taken)"))
    }

    // MARK: Opening

    @Test func tellsWhyAConnectionDoesNotComeAbout() async throws {
        let rows: [(reason: String, username: String?, tls: SMTPServer.TLS, script: ScriptedServer.Script)] = [
            ("the mail server refuses the connection: 554 5.7.1 go away", nil, .off, { $0.say("554 5.7.1 go away") }),
            ("the mail server refuses the connection: 421 too busy", nil, .off, { $0.say("421 too busy") }),
            ("the mail server does not offer STARTTLS, which is required here", nil, .required, { try $0.greet() }),
            (
                "a user name is configured, but the mail server offers no login that can be used", "ann", .off,
                {
                    try $0.greet()
                    try $0.expectEnd()
                }
            ),
            (
                // Stripped: the offer of STARTTLS is gone and that of AUTH left, to catch the password.
                "the mail server does not offer STARTTLS, which is required here", "ann", .opportunistic,
                {
                    try $0.greet(["AUTH PLAIN LOGIN"])
                    try $0.expectEnd()
                }
            ),
            (
                "the mail server refused the user name and password: 535", "ann", .off,
                {
                    try $0.greet(["AUTH PLAIN"])
                    try $0.expect("AUTH PLAIN AGFubgBodW50ZXIy")
                    $0.say("535 5.7.8 bad AGFubgBodW50ZXIy")
                }
            ),
            (
                "no TLS connection to the mail server came about: 454 4.7.0 not today", nil, .required,
                {
                    try $0.greet(["STARTTLS"])
                    try $0.expect("STARTTLS")
                    $0.say("454 4.7.0 not today")
                }
            ),
            ("the mail server did not answer in time while the connection was opened", nil, .off, { $0.wait(1500) }),
            (
                "the mail server broke the protocol: a reply line of more than 2048 bytes", nil, .off,
                { $0.say("220 " + String(repeating: "x", count: 3000)) }
            ),
            ("the connection to the mail server was lost", nil, .off, { $0.close() }),
        ]
        for row in rows {
            let run = try await run([message(1)], timeout: .seconds(1), username: row.username, tls: row.tls, row.script)
            #expect(run.problems == [])
            guard case .unreachable(let reason) = run.outcomes[1] else {
                Issue.record("\(row.reason): \(run.outcomes)")
                continue
            }
            #expect(reason.hasPrefix(row.reason))
            #expect(!reason.contains("hunter2") && !reason.contains("AGFubg"))
        }
    }

    @Test func logsIn() async throws {
        let run = try await run([message(1)], username: "ann") { peer in
            try peer.greet(["PIPELINING", "AUTH PLAIN LOGIN"])
            try peer.expect("AUTH PLAIN AGFubgBodW50ZXIy")
            peer.say("235 2.7.0 welcome")
            try peer.expectEnvelope()
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken")
            try peer.expectQuit()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .accepted(reply: "250 taken")])
    }

    @Test func tellsThatNobodyListens() async throws {
        let log = EventLog()
        let port = try ScriptedServer(log, []).port
        let server = try SMTPServer(url: "smtp://127.0.0.1:\(port)", tls: .off)
        let source = ScriptedSource([message(1)], log: log)
        await SMTPTransport(server: server).runLane(0, source: source)
        guard case .unreachable(let reason) = source.outcomes[1] else {
            Issue.record("\(source.outcomes)")
            return
        }
        #expect(reason.hasPrefix("cannot connect to the mail server: "))
    }
}
