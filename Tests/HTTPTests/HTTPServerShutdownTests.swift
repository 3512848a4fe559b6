import Glibc
import Platform
import Testing

@testable import HTTP

@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPServerShutdownTests {
    @Test func aClientThatLeavesReleasesItsExchangeOnce() async throws {
        let finished = TestCounter()
        let gate = Shutdown()
        let responder = FunctionResponder(answer: { request in
            if request.path == "/wait" { await gate.wait() }
            finished.add()
            return FunctionResponder.text("late")
        })
        try await TestServer.run(responder) { server in
            for index in 0..<20 {
                let client = try server.client()
                try client.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
                #expect(server.eventually { server.server.inFlight == index + 1 })
                if index % 2 == 0 { client.abort() }
            }
            #expect(server.server.inFlight == 20)
            gate.trigger()
            #expect(server.eventually { finished.total == 20 && server.server.inFlight == 0 && server.server.connectionCount == 0 })
            #expect(try server.client().request("GET", "/").text == "late")
        }
    }

    @Test func idleConnectionsAreClosed() async throws {
        try await TestServer.run { server in
            let clients = try (0..<10).map { _ in try server.client() }
            for client in clients.dropFirst() { _ = try client.request("GET", "/") }
            #expect(server.eventually { server.server.connectionCount == 10 && server.server.inFlight == 0 })
            let start = ContinuousClock.now
            server.shutdown.trigger()
            for client in clients { #expect(try client.isClosed()) }
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test func whatIsInFlightIsAnswered() async throws {
        let gate = Shutdown()
        let responder = FunctionResponder(answer: { request in
            await gate.wait()
            return FunctionResponder.text(String(decoding: request.body, as: UTF8.self))
        })
        try await TestServer.run(responder) { server in
            let clients = try (0..<10).map { _ in try server.client() }
            for client in clients { try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok") }
            // One whose body is still on its way.
            let slow = try server.client()
            try slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nsl")
            #expect(server.eventually { server.server.inFlight == 11 })
            server.shutdown.trigger()
            #expect(server.eventually { (try? server.client()) == nil })
            try slow.send("ow")
            TestServer.pause(milliseconds: 50)
            gate.trigger()
            for client in clients {
                let response = try client.response()
                #expect(response.text == "ok")
                #expect(response.header("Connection") == "close")
                #expect(try client.isClosed())
            }
            #expect(try slow.response().text == "slow")
        }
    }

    @Test func whatTakesTooLongIsAnsweredWith503AndCancelled() async throws {
        let gate = Shutdown()
        let cancelled = TestCounter()
        let responder = FunctionResponder(answer: { request in
            if request.path == "/polite" {
                try? await Task.sleep(for: .seconds(60))
                if Task.isCancelled { cancelled.add() }
            } else {
                await gate.wait()
                await Task.yield()
                cancelled.add()
            }
            return FunctionResponder.text("too late")
        })
        let start = ContinuousClock.now
        let clients = try await TestServer.run(responder, configure: { $0.drainTimeout = .milliseconds(200) }) { server in
            let clients = try (0..<6).map { _ in try server.client() }
            for (index, client) in clients.enumerated() {
                try client.send("GET \(index % 2 == 0 ? "/polite" : "/deaf") HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            let stuck = try server.client()
            try stuck.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
            #expect(server.eventually { server.server.inFlight == 7 })
            server.shutdown.trigger()
            for client in clients {
                #expect(try client.response().status == 503)
                #expect(try client.isClosed())
            }
            _ = try? stuck.isClosed()
            return clients.count
        }
        #expect(clients == 6)
        #expect(ContinuousClock.now - start < .seconds(5))
        // The deaf handlers end after their loops are gone.
        gate.trigger()
        for _ in 0..<200 where cancelled.total < 6 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(cancelled.total == 6)
    }

    @Test func aServerCanFollowAnotherOnTheSamePort() async throws {
        let port = try await TestServer.run { server in
            _ = try server.client().request("GET", "/")
            return server.port
        }
        let port2 = try await TestServer.run(configure: { $0.port = port }) { server in
            let status = try server.client().request("GET", "/").status
            #expect(status == 200)
            return server.port
        }
        #expect(port2 == port)
    }
}
