import Glibc
import Testing

@testable import HTTP

@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPServerLimitsTests {
    private static let unasked = FunctionResponder(answer: { _ in FunctionResponder.text("asked") })

    @Test(arguments: [101, 10_000_000, Int.max])
    func aLargeLengthIsRefusedBeforeTheBodyIsRead(length: Int) async throws {
        try await TestServer.run(Self.unasked, configure: { $0.maximumBodyBytes = 100 }) { server in
            let client = try server.client()
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 413)
            #expect(try client.isClosed())
        }
    }

    @Test func aClientThatSendsAnywayStillSeesTheAnswer() async throws {
        try await TestServer.run(Self.unasked, configure: { $0.maximumBodyBytes = 100 }) { server in
            for _ in 0..<20 {
                let client = try server.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
                try client.send([UInt8](repeating: 1, count: 3_000_000))
                #expect(try client.response().status == 413)
                #expect(try client.isClosed())
            }
        }
    }

    @Test func aChunkedBodyIsRefusedWhenItPassesTheLimit() async throws {
        try await TestServer.run(Self.unasked, configure: { $0.maximumBodyBytes = 100 }) { server in
            let client = try server.client()
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n")
            TestServer.pause(milliseconds: 20)
            for _ in 0..<100 { try client.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n") }
            #expect(try client.response().status == 413)
            #expect(try client.isClosed())
            #expect(server.eventually { server.server.inFlight == 0 && server.server.connectionCount == 0 })
        }
    }

    @Test func aBodyOfTheLimitPasses() async throws {
        try await TestServer.run(Self.unasked, configure: { $0.maximumBodyBytes = 100 }) { server in
            let client = try server.client()
            #expect(try client.request("POST", "/", body: String(repeating: "x", count: 100)).text == "asked")
            try client.send(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n" + String(repeating: "x", count: 100)
                    + "\r\n0\r\n\r\n")
            #expect(try client.response().text == "asked")
        }
    }

    @Test func sixteenKilobytesOfHeadersPass() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            for _ in 0..<3 {
                let long = try client.request(
                    "GET", "/" + String(repeating: "a", count: 8000), headers: ["X: " + String(repeating: "b", count: 8200)])
                #expect(long.status == 200)
                let many = try client.request("GET", "/", headers: (0..<100).map { "X-\($0): " + String(repeating: "c", count: 150) })
                #expect(many.status == 200)
                let cookies = try client.request("GET", "/", headers: ["Cookie: " + (0..<40).map { "a\($0)=b" }.joined(separator: "; ")])
                #expect(cookies.status == 200)
            }
        }
    }

    @Test func largerOnesAreRefused() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
            try? client.send("X: " + String(repeating: "b", count: 40_000) + "\r\n\r\n")
            #expect(try client.response().status == 431)
            let other = try server.client()
            try? other.send("GET /" + String(repeating: "a", count: 40_000))
            #expect(try other.response().status == 414)
            #expect(server.eventually { server.server.inFlight == 0 && server.server.connectionCount == 0 })
        }
    }

    @Test(arguments: [
        [""], ["GET / HT"], ["GET / HTTP/1.1\r\nHost: a\r\nX: "], ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n", "x"],
    ])
    func aSilentClientIsLeft(parts: [String]) async throws {
        try await TestServer.run(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let client = try server.client()
            for part in parts { try client.send(part) }
            let start = ContinuousClock.now
            #expect(try client.isClosed())
            #expect(ContinuousClock.now - start < .seconds(4))
            #expect(server.eventually { server.server.inFlight == 0 && server.server.connectionCount == 0 })
        }
    }

    @Test(arguments: [
        "GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n",
    ])
    func aClientOfOneByteAtATimeIsLeftToo(start: String) async throws {
        try await TestServer.run(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let client = try server.client()
            try client.send(start)
            let begin = ContinuousClock.now
            do {
                for _ in 0..<60 {
                    try client.send("x")
                    TestServer.pause(milliseconds: 100)
                }
            } catch {}
            #expect(ContinuousClock.now - begin < .seconds(4))
            #expect(server.eventually { server.server.connectionCount == 0 })
        }
    }

    @Test func aHandlerMayTakeLongerThanTheIdleTimeout() async throws {
        let responder = FunctionResponder(answer: { _ in
            try? await Task.sleep(for: .milliseconds(2500))
            return FunctionResponder.text("late")
        })
        let text = try await TestServer.run(responder, configure: { $0.idleTimeout = .seconds(1) }) {
            try $0.client().request("GET", "/").text
        }
        #expect(text == "late")
    }

    @Test func connectionsAboveTheLimitWait() async throws {
        try await TestServer.run(loops: 1, configure: { $0.maximumConnections = 4 }) { server in
            var clients = try (0..<4).map { _ in try server.client() }
            for client in clients { #expect(try client.request("GET", "/").status == 200) }
            let fifth = try server.client()
            try fifth.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            TestServer.pause(milliseconds: 100)
            #expect(server.server.connectionCount == 4)
            let start = ContinuousClock.now
            clients.removeFirst()
            #expect(try fifth.response().status == 200)
            #expect(ContinuousClock.now - start < .milliseconds(500))
        }
    }
}
