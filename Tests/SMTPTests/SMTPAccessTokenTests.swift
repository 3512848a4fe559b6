import Foundation
import Mail
import Platform
import Testing

@testable import SMTP

@Suite(.timeLimit(.minutes(1))) struct SMTPAccessTokenTests {
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/postern-token-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test func isReadAnewForEachConnection() async throws {
        try await withFile { path in
            for token in ["first-token", "second-token"] {
                try (token + "\n").write(toFile: path, atomically: true, encoding: .utf8)
                let log = EventLog()
                let scripted = try ScriptedServer(
                    log,
                    [
                        { peer in
                            try peer.greet(["AUTH XOAUTH2"])
                            let response = "user=ann\u{1}auth=Bearer \(token)\u{1}\u{1}"
                            try peer.expect("AUTH XOAUTH2 " + Data(response.utf8).base64EncodedString())
                            peer.say("235 2.7.0 welcome")
                            try peer.expect("MAIL FROM:<noreply@example.com>")
                            peer.say("250 a")
                            try peer.expect("RCPT TO:<ann@example.org>")
                            peer.say("550 5.1.1 no")
                            try peer.expectQuit()
                        }
                    ])
                let server = try SMTPServer(
                    url: "smtp://127.0.0.1:\(scripted.port)", username: "ann", accessToken: .file(path: path), tls: .off,
                    helo: "client.example", connections: 1, timeout: .seconds(3))
                let source = ScriptedSource([.message(SMTPSamples.message(1))], log: log)
                await SMTPTransport(servers: [server]).runLane(0, source: source)
                #expect(log.all.filter { $0.contains("problem") } == [])
                #expect(source.outcomes == [1: .recipientRefused(reply: "550 5.1.1 no", status: EnhancedStatus(5, 1, 1))])
                withExtendedLifetime(scripted) {}
            }
        }
    }

    @Test(arguments: ["", "\n", "head tail", "head\ntail", "tökén", "head\u{0}tail"]) func aStrangeTokenIsNeverSent(_ text: String)
        async throws
    {
        try await withFile { path in
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            do throws(SMTPError) {
                _ = try SMTPAccessToken.file(path: path).read()
                Issue.record("taken")
            } catch {
                #expect(error.code == "token-unreadable")
                #expect(text.isEmpty || text == "\n" || !error.reason.contains(text), "no part of a token in a reason")
            }
        }
        #expect(throws: SMTPError.self) { try SMTPAccessToken.file(path: "/nonexistent/token").read() }
    }
}
