import Platform
import Synchronization
import Testing

@testable import Mail
@testable import SMTP

/// A process that stops waits for no mail server, but for the reply to a message that is on its way.
@Suite struct SMTPTransportStopTests {
    enum Silence: String, CaseIterable, Sendable {
        case greeting, envelope, message
    }

    @Test(arguments: Silence.allCases) func silentServer(_ silence: Silence) async throws {
        let log = EventLog()
        let source = ScriptedSource([.message(SMTPSamples.message(1, to: "ann", text: "Hello\r\n"))], log: log)
        let server = try ScriptedServer(
            log,
            [
                { peer in
                    if silence != .greeting {
                        try peer.greet()
                        try peer.expectEnvelope()
                    }
                    if silence == .message {
                        peer.send("250 a\r\n250 b\r\n354 c\r\n")
                        try peer.expectContent()
                    }
                    log.add("silent")
                    _ = peer.isSilent(for: 20_000)
                }
            ])
        let transport = SMTPTransport(
            servers: [try SMTPServer(url: "smtp://127.0.0.1:\(server.port)", tls: .off, timeout: .seconds(25))])
        let lane = ThreadExecutor(name: "stop-test")
        let running = Task(executorPreference: lane) { await transport.runLane(0, source: source) }
        if silence == .greeting {
            try await Task.sleep(for: .milliseconds(300))
        } else {
            while !log.contains("silent") { try await Task.sleep(for: .milliseconds(5)) }
        }
        let start = ContinuousClock.now
        source.stops.withLock { $0 = true }
        await running.value
        let took = ContinuousClock.now - start
        // A loaded machine may be slow; a lane that waits for its timeout takes 25 s.
        #expect(took < .seconds(15))
        guard case .unreachable(let reason) = source.outcomes[1] else {
            Issue.record("\(source.outcomes)")
            return
        }
        #expect(reason.contains("may have been taken") == (silence == .message), "\(reason)")
        if silence == .message { #expect(took > .seconds(4)) }
    }
}
