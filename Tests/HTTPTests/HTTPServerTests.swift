import Glibc
import Testing

@testable import HTTP

@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPServerTests {
    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
    func tellsTheMethod(method: String) async throws {
        let response = try await TestServer.run { try $0.client().request(method, "/x", body: method == "GET" ? nil : "body") }
        #expect(response.text == "\(method)\n/x\n/x\n-\n" + (method == "GET" ? "" : "body"))
        #expect(response.status == 200)
        #expect(response.header("Date") != nil)
        #expect(response.header("Server") == nil)
    }

    @Test(arguments: ["/now", "/later"])
    func headGivesTheLengthWithoutTheBody(target: String) async throws {
        let responder = FunctionResponder(
            immediate: { $0.path == "/now" ? FunctionResponder.text("12345") : nil }, answer: { _ in FunctionResponder.text("12345") })
        try await TestServer.run(responder) { server in
            let client = try server.client()
            let head = try client.request("HEAD", target)
            #expect(head.header("Content-Length") == "5")
            #expect(head.body.isEmpty)
            #expect(try client.request("GET", target).text == "12345")
        }
    }

    @Test func keepsTheConnection() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            for index in 0..<50 { #expect(try client.request("GET", "/\(index)").text == "GET\n/\(index)\n/\(index)\n-\n") }
            #expect(server.server.connectionCount == 1)
            #expect(server.eventually { server.server.inFlight == 0 })
        }
    }

    @Test func closesWhenAskedTo() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            _ = try client.request("GET", "/", headers: ["Connection: close"])
            #expect(try client.isClosed())
            let old = try server.client()
            try old.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try old.response().status == 200)
            #expect(try old.isClosed())
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let responder = FunctionResponder(answer: { request in
            if request.path == "/0" { try? await Task.sleep(for: .milliseconds(50)) }
            if request.path == "/1" { await Task.yield() }
            return FunctionResponder.text(request.path + String(decoding: request.body, as: UTF8.self))
        })
        try await TestServer.run(responder) { server in
            let client = try server.client()
            try client.send(
                (0..<20).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nb\($0 % 10)c" }.joined())
            for index in 0..<20 { #expect(try client.response().text == "/\(index)b\(index % 10)c") }
        }
    }

    @Test func continuesWhenExpected() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 100)
            try client.send("body")
            #expect(try client.response().text.hasSuffix("body"))
        }
    }

    @Test func readsChunkedBodies() async throws {
        try await TestServer.run { server in
            let client = try server.client()
            for part in [
                "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\nab", "c\r\n1;x=y\r\nd\r\n", "0\r\nT: 1\r\n\r\n",
            ] {
                try client.send(part)
                TestServer.pause(milliseconds: 10)
            }
            #expect(try client.response().text == "POST\n/c\n/c\n-\nabcd")
            #expect(try client.request("GET", "/").status == 200)
        }
    }

    @Test func readsAMegabyte() async throws {
        let responder = FunctionResponder(answer: { HTTPResponse(status: 200, body: .bytes($0.body)) })
        try await TestServer.run(responder) { server in
            let body = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let client = try server.client()
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
            try client.send(body)
            #expect(try client.response().body == body)
        }
    }

    @Test(arguments: [
        "/a%2Fb%00%20%ff", "//a///b", "/a?x=%2F&y=a+b&&z", "/a?b?c", "/%", "/a;b,c", "/ü", "/..%2f../x", "/?", "/a&b=c", "/a#b",
        "http://localhost/a?b", "*",
    ])
    func keepsTheTargetAsSent(target: String) async throws {
        let text = try await TestServer.run { try $0.client().request("GET", target).text }
        #expect(text.split(separator: "\n")[1] == target)
    }

    @Test func refusesTargetsThatAreNoText() async throws {
        for target: [UInt8] in [
            [0x2F, 0xFF], [0x2F, 0x7F], [0x2F, 0x01], [0x2F, 0xC3], Array("a".utf8), Array("/a b".utf8), Array("hello".utf8),
            Array("*a".utf8),
        ] {
            try await TestServer.run { server in
                let client = try server.client()
                try client.send(Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                // libmicrohttpd closes without a word when the first line itself is broken.
                if let response = try? client.response() { #expect(response.status == 400) }
                #expect(try client.isClosed())
            }
        }
    }

    @Test func givesFieldsPeerAndID() async throws {
        let responder = FunctionResponder(answer: { request in
            FunctionResponder.text(
                "\(request.headers["x-one"] ?? "-")|\(request.headers["X-Empty"] ?? "-")|\(request.headers.all("X-Two"))|"
                    + "\(request.remoteAddress)|\(request.remotePort > 0)|\(request.id.hasPrefix("abc-"))")
        })
        let response = try await TestServer.run(responder) {
            try $0.client().request("GET", "/", headers: ["X-One:  a b \t", "X-Empty:", "X-Two: 1", "X-Two: 2"])
        }
        #expect(response.text == "a b||[\"1\", \"2\"]|127.0.0.1|true|true")
    }

    @Test func idsDiffer() async throws {
        let responder = FunctionResponder(answer: { FunctionResponder.text($0.id) })
        let ids = try await TestServer.run(responder) { server in
            try (0..<40).map { _ in try server.client().request("GET", "/").text }
        }
        #expect(Set(ids).count == 40)
    }

    @Test func aResponseCannotBeSplit() async throws {
        let responder = FunctionResponder(answer: { _ in
            HTTPResponse(
                status: 200,
                headers: HTTPHeaders([
                    ("X-A", "1\r\nX-B: 2\r\n\r\nbody"), ("X-C\r\nX-D", "3"), ("X-E", ""), ("Content-Length", "999"),
                    ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("Set-Cookie", "a"), ("Set-Cookie", "b"),
                ]), body: .bytes(Array("ok".utf8)))
        })
        try await TestServer.run(responder) { server in
            let client = try server.client()
            let response = try client.request("GET", "/")
            #expect(response.header("X-A") == "1X-B: 2body")
            #expect(response.header("X-B") == nil)
            #expect(response.header("X-D") == nil)
            #expect(response.header("Content-Length") == "2")
            #expect(response.header("Transfer-Encoding") == nil)
            #expect(response.head.components(of: "Set-Cookie") == 2)
            #expect(try client.request("GET", "/").text == "ok")
        }
    }

    @Test(arguments: [(204, 204), (304, 304), (303, 303), (42, 500), (100, 500), (600, 500)])
    func sendsTheStatus(given: Int, sent: Int) async throws {
        let responder = FunctionResponder(immediate: { _ in HTTPResponse(status: given) })
        try await TestServer.run(responder) { server in
            let client = try server.client()
            #expect(try client.request("GET", "/").status == sent)
            #expect(try client.request("GET", "/").status == sent)
        }
    }

    @Test func sharedBodiesAreSentAgainAndAgain() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let shared = SharedBody(bytes)
        let plain = HTTPHeaders([("X-Kind", "plain")])
        let responder = FunctionResponder(immediate: { request in
            let headers = request.path == "/other" ? HTTPHeaders([("X-Kind", "other")]) : plain
            return HTTPResponse(status: request.path == "/missing" ? 404 : 200, headers: headers, body: .static(shared))
        })
        try await TestServer.run(responder) { server in
            let client = try server.client()
            for (path, kind, status) in [("/", "plain", 200), ("/", "plain", 200), ("/other", "other", 200), ("/missing", "plain", 404)] {
                let response = try client.request("GET", path)
                #expect(response.header("X-Kind") == kind)
                #expect(response.status == status)
                #expect(response.body == bytes)
            }
            let head = try client.request("HEAD", "/")
            #expect(head.header("Content-Length") == "300000")
        }
    }

    @Test func aSharedBodyOutlivesItsOwnerWhileItIsSent() async throws {
        let responder = FunctionResponder(answer: { _ in
            HTTPResponse(status: 200, body: .static(SharedBody([UInt8](repeating: 7, count: 4 << 20))))
        })
        try await TestServer.run(responder) { server in
            let client = try TestClient(port: server.port, receiveBuffer: 4096)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            TestServer.pause(milliseconds: 100)
            #expect(try client.response().body.allSatisfy { $0 == 7 })
        }
    }

    @Test func handlersStayOnTheThreadOfTheirLoop() async throws {
        let responder = FunctionResponder(answer: { _ in
            let before = pthread_self()
            await Task.yield()
            let between = pthread_self()
            try? await Task.sleep(for: .milliseconds(1))
            return FunctionResponder.text(before == between && between == pthread_self() ? "same" : "other")
        })
        let texts = try await TestServer.run(responder) { server in
            try (0..<20).map { _ in try server.client().request("GET", "/").text }
        }
        #expect(Set(texts) == ["same"])
    }

    @Test func servesIPv6() async throws {
        let responder = FunctionResponder(answer: { FunctionResponder.text($0.remoteAddress) })
        let text = try await TestServer.run(responder, host: "::1") { try TestClient(port: $0.port, host: "::1").request("GET", "/").text }
        #expect(text == "::1")
        try await TestServer.run(responder, host: "::") { server in
            for host in ["::1", "127.0.0.1"] {
                let seen = try TestClient(port: server.port, host: host).request("GET", "/").text
                #expect(seen == host)
            }
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { split(separator: part, omittingEmptySubsequences: false).count - 1 }
}
