import Glibc
import Testing

@testable import HTTP

/// libmicrohttpd 0.9.75 stalls on its own threads when 128 events come at once; ours must not.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HTTPServerBurstTests {
    @Test func twoHundredFiftySixAtTheSameInstant() async throws {
        let responder = FunctionResponder(answer: { _ in
            try? await Task.sleep(for: .milliseconds(20))
            return FunctionResponder.text("done")
        })
        try await TestServer.run(responder) { server in
            let clients = try (0..<256).map { _ in try server.client() }
            let start = ContinuousClock.now
            for client in clients { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
            for client in clients { #expect(try client.response().text == "done") }
            // The stall is for ever; five seconds tell it from a machine that has other things to do.
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(server.server.connectionCount == 256)
        }
    }

    /// All events are there when the loop looks: it was kept busy while they arrived.
    @Test(arguments: [127, 128, 129, 256, 257])
    func thatManyEventsInOneLook(size: Int) async throws {
        let entered = TestCounter()
        let released = TestCounter()
        let responder = FunctionResponder(immediate: { request in
            if request.path == "/block" {
                entered.add()
                while released.total == 0 { usleep(1000) }
            }
            return FunctionResponder.text("ok")
        })
        try await TestServer.run(responder, loops: 1) { server in
            let blocker = try server.client()
            let clients = try (0..<size).map { _ in try server.client() }
            for client in clients { _ = try client.request("GET", "/") }
            try blocker.send("GET /block HTTP/1.1\r\nHost: a\r\n\r\n")
            // Whatever goes wrong, the loop is let go: nobody could stop a server that blocks.
            defer { released.add() }
            try #require(server.eventually { entered.total == 1 })
            for client in clients { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
            released.add()
            let start = ContinuousClock.now
            for client in clients { #expect(try client.response().status == 200) }
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test(arguments: [(1, 128, false), (1, 256, false), (2, 256, false), (1, 128, true), (2, 256, true)])
    func burstsOneAfterTheOther(loops: Int, size: Int, waits: Bool) async throws {
        let body = SharedBody(Array("ok".utf8))
        let responder = FunctionResponder(
            immediate: { _ in waits ? nil : HTTPResponse(status: 200, body: .static(body)) },
            answer: { _ in
                await Task.yield()
                return HTTPResponse(status: 200, body: .static(body))
            })
        try await TestServer.run(responder, loops: loops) { server in
            let clients = try (0..<size).map { _ in try server.client() }
            let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            try clients[0].send(request)
            let answer = try clients[0].response()
            #expect(answer.status == 200)
            let length = answer.head.utf8.count + answer.body.count
            for _ in 0..<100 {
                for client in clients { try client.send(request) }
                for client in clients { try client.skip(length) }
            }
        }
    }
}
