import Mail
import Platform

@testable import SMTP

/// One lane run from its start to the end of its source, and what came of it.
struct LaneRun {
    let log: EventLog
    let outcomes: [Int64: DeliveryOutcome]

    var problems: [String] { log.all.filter { $0.contains("problem") || $0.contains("again") } }

    /// Runs one lane over `items` against a server that plays `scripts`, to its end.
    init(
        _ items: [ScriptedSource.Item], settling: Duration = .zero, timeout: Duration = .seconds(3), username: String? = nil,
        tls: SMTPServer.TLS = .off, _ scripts: ScriptedServer.Script...
    ) async throws {
        let log = EventLog()
        let scripted = try ScriptedServer(log, scripts)
        let server = try SMTPServer(
            url: "smtp://127.0.0.1:\(scripted.port)", username: username, password: username.map { _ in Secret("hunter2") }, tls: tls,
            helo: "client.example", connections: 1, timeout: timeout)
        let source = ScriptedSource(items, log: log, settling: settling)
        let transport = SMTPTransport(servers: [server])
        await Task(executorPreference: ThreadExecutor(name: "lane")) { await transport.runLane(0, source: source) }.value
        // The server's last entry is written when it has seen the client go.
        for _ in 0..<1000 where !scripts.indices.allSatisfy({ log.contains("\($0) closed") }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        withExtendedLifetime(scripted) {}
        self.log = log
        outcomes = source.outcomes
    }
}
