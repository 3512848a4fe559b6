import Mail
import Platform
import Testing

@testable import SMTP

@Suite(.timeLimit(.minutes(1))) struct SMTPFailoverTests {
    typealias Item = ScriptedSource.Item

    private func message(_ number: Int64) -> Item { .message(SMTPSamples.message(number)) }

    private func server(_ port: UInt16, connections: Int = 1) throws -> SMTPServer {
        try SMTPServer(url: "smtp://127.0.0.1:\(port)", tls: .off, helo: "client.example", connections: connections, timeout: .seconds(3))
    }

    /// One connection on which every mail is taken.
    private static let good: ScriptedServer.Script = { peer in
        try peer.greet()
        while true {
            do { try peer.expect("") } catch { return }
            // The rest of the group, then the message, until the client says good-bye.
            if peer.isSilent(for: 300) { return peer.say("221 bye") }
            try peer.expect("RCPT")
            try peer.expect("DATA")
            peer.send("250 a\r\n250 b\r\n354 c\r\n")
            try peer.expectContent()
            peer.say("250 taken here")
        }
    }

    private func run(
        _ items: [Item], first: [ScriptedServer.Script], second: [ScriptedServer.Script], metrics: Metrics = Metrics(),
        _ check: (SMTPTransport) async throws -> Void = { _ in }
    ) async throws -> (outcomes: [Int64: DeliveryOutcome], first: EventLog, second: EventLog, statuses: [SMTPServerStatus]) {
        let logs = (EventLog(), EventLog(), EventLog())
        let servers = (try ScriptedServer(logs.0, first), try ScriptedServer(logs.1, second))
        let transport = SMTPTransport(
            servers: [try server(servers.0.port), try server(servers.1.port)], metrics: metrics, random: { 0 })
        let source = ScriptedSource(items, log: logs.2)
        await Task(executorPreference: ThreadExecutor(name: "lane")) { await transport.runLane(0, source: source) }.value
        try await check(transport)
        withExtendedLifetime(servers) {}
        return (source.outcomes, logs.0, logs.1, transport.statuses)
    }

    /// What a first server can do wrong before it has the message.
    static let failures: [(name: String, script: ScriptedServer.Script)] = [
        ("closes at once", { $0.close() }),
        ("refuses the connection", { $0.say("554 5.7.1 go away") }),
        ("is too busy", { $0.say("421 4.3.2 too busy") }),
        ("speaks something else", { $0.say("HTTP/1.1 400 Bad Request") }),
        (
            "wants a login",
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.send("530 5.7.0 login first\r\n503 no\r\n503 no\r\n")
                _ = peer.isSilent(for: 500)
            }
        ),
        (
            "closes in the envelope",
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                peer.say("421 4.3.0 shutting down")
            }
        ),
        (
            "is silent in the envelope",
            { peer in
                try peer.greet()
                try peer.expectEnvelope()
                _ = peer.isSilent(for: 4000)
            }
        ),
    ]

    @Test(arguments: failures.map(\.name)) func theSecondTakesWhatTheFirstCannot(_ name: String) async throws {
        let script = try #require(Self.failures.first { $0.name == name }?.script)
        let metrics = Metrics()
        var text = ""
        let result = try await run([message(1)], first: [script], second: [Self.good], metrics: metrics) { _ in text = metrics.render() }
        #expect(result.outcomes == [1: .accepted(reply: "250 taken here")])
        #expect(result.statuses[0].consecutiveFailures == 1)
        #expect(result.statuses[0].lastFailureReason != nil)
        #expect(result.statuses[1].isGood && result.statuses[1].consecutiveFailures == 0)
        #expect(text.contains("postern_smtp_failures_total{server=\"\(result.statuses[0].server)\"} 1\n"))
        #expect(text.contains("postern_smtp_failures_total{server=\"\(result.statuses[1].server)\"} 0\n"))
        #expect(text.contains("postern_smtp_server_up{server=\"\(result.statuses[1].server)\"} 1\n"))
    }

    @Test func anAnswerAboutTheMessageIsNoFailureOfTheServer() async throws {
        let result = try await run(
            [message(1)],
            first: [
                { peer in
                    try peer.greet()
                    try peer.expectEnvelope()
                    peer.send("250 a\r\n550 5.1.1 no such user\r\n503 no\r\n")
                    try peer.expectQuit()
                }
            ], second: [])
        #expect(result.outcomes == [1: .recipientRefused(reply: "550 5.1.1 no such user", status: EnhancedStatus(5, 1, 1))])
        #expect(result.statuses.allSatisfy { $0.isGood && $0.consecutiveFailures == 0 })
        #expect(result.second.all == [])
    }

    @Test func aMessageThatMayHaveBeenTakenDoesNotGoToAnother() async throws {
        let result = try await run(
            [message(1)],
            first: [
                { peer in
                    try peer.greet()
                    try peer.expectEnvelope()
                    peer.send("250 a\r\n250 b\r\n354 c\r\n")
                    try peer.expectContent()
                }
            ], second: [])
        guard case .unreachable(let reason) = result.outcomes[1] else {
            Issue.record("\(result.outcomes)")
            return
        }
        #expect(reason.hasSuffix("(after the message was sent: it may have been taken)"), "\(reason)")
        #expect(result.second.all == [])
    }

    @Test func theFirstIsLeftAloneThenProbedAndGoneBackTo() async throws {
        let log = EventLog()
        let servers = (
            try ScriptedServer(EventLog(), [{ $0.close() }, Self.good]), try ScriptedServer(EventLog(), [Self.good, Self.good])
        )
        let transport = SMTPTransport(servers: [try server(servers.0.port), try server(servers.1.port)], random: { 0 })
        let source = ScriptedSource([message(1), .gap, message(2), .gap, .after("slept"), message(3), .gap], log: log)
        let lane = Task(executorPreference: ThreadExecutor(name: "lane")) { await transport.runLane(0, source: source) }
        while !log.contains("settled 2") { try await Task.sleep(for: .milliseconds(5)) }
        #expect(transport.statuses.map(\.isGood) == [false, true])
        #expect(transport.statuses.map(\.connections) == [0, 1], "both mails went over one connection to the second server")
        try await Task.sleep(for: SMTPServerHealth.first)
        log.add("slept")
        await lane.value
        #expect(transport.statuses.map(\.isGood) == [true, true])
        #expect(source.outcomes.count == 3 && source.outcomes.values.allSatisfy { $0 == .accepted(reply: "250 taken here") })
        withExtendedLifetime(servers) {}
    }

    @Test func withNoServerTheReasonNamesEach() async throws {
        let result = try await run([message(1)], first: [{ $0.close() }], second: [{ $0.say("554 5.7.1 go away") }])
        guard case .unreachable(let reason) = result.outcomes[1] else {
            Issue.record("\(result.outcomes)")
            return
        }
        for status in result.statuses { #expect(reason.contains("\(status.server): "), "\(reason)") }
        #expect(reason.contains("554 5.7.1 go away"))
    }
}
