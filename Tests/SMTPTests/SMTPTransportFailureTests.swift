import Platform
import Testing

@testable import Mail
@testable import SMTP

/// Connections that end, servers that misbehave and connections that do not come about.
@Suite struct SMTPTransportFailureTests {
    private func message(_ number: Int64, to recipient: String = "ann", text: String = "Hello\r\n") -> ScriptedSource.Item {
        .message(SMTPSamples.message(number, to: recipient, text: text))
    }

    // MARK: Connections that end

    @Test(arguments: [true, false]) func opensANewConnectionWhenTheIdleOneHasEnded(_ says421: Bool) async throws {
        let run = try await LaneRun(
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
        let run = try await LaneRun(
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
        let run = try await LaneRun(
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
        let run = try await LaneRun([message(1)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.say("421 4.3.2 not now")
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .unreachable(reason: "the mail server is closing the connection: 421 4.3.2 not now")])
    }

    @Test func saysThatAMessageMayHaveBeenTaken() async throws {
        let run = try await LaneRun(
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
        let run = try await LaneRun([message(1, text: text)]) { peer in
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
        let run = try await LaneRun(
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
        await SMTPTransport(servers: [server]).runLane(0, source: ScriptedSource([.idle, .gap], log: log))
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
        let run = try await LaneRun([message(1)]) { peer in
            try peer.greet()
            try peer.expectEnvelope()
            peer.send(said)
            try peer.expectEnd()
        }
        #expect(run.problems == [])
        #expect(run.outcomes == [1: .unreachable(reason: "the mail server broke the protocol: \(cause)")])
    }

    @Test func waitsForSlowRepliesButNotForSilence() async throws {
        let run = try await LaneRun([message(1), message(2)], timeout: .seconds(1)) { peer in
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
            let run = try await LaneRun([message(1)], timeout: .seconds(1), username: row.username, tls: row.tls, row.script)
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
        let run = try await LaneRun([message(1)], username: "ann") { peer in
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
        await SMTPTransport(servers: [server]).runLane(0, source: source)
        guard case .unreachable(let reason) = source.outcomes[1] else {
            Issue.record("\(source.outcomes)")
            return
        }
        #expect(reason.hasPrefix("cannot connect to the mail server: "))
    }
}
