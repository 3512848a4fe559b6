import Glibc
import Platform
import Testing

@testable import HTTP

@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPServerBindTests {
    private func server(_ host: String, _ port: Int, loops: Int = 2) -> HTTPServer {
        HTTPServer(
            configuration: HTTPServerConfiguration(host: host, port: port, loops: loops), responder: FunctionResponder(), logger: .silent)
    }

    @Test(arguments: [1, 2, 4], [1, 2])
    func aPortInUseIsAnError(first: Int, second: Int) throws {
        let one = server("127.0.0.1", 0, loops: first)
        let port = try one.bind().port
        #expect(port > 0)
        #expect(try one.bind().port == port)
        let error = #expect(throws: HTTPServerError.self) { try server("127.0.0.1", port, loops: second).bind() }
        #expect(error == .addressInUse(host: "127.0.0.1", port: port))
        #expect(error?.description.contains(String(port)) == true)
        withExtendedLifetime(one) {}
    }

    @Test func aPortIsFreeOnceItsServerIsGone() throws {
        let port = try server("127.0.0.1", 0).bind().port
        #expect(try server("127.0.0.1", port).bind().port == port)
    }

    @Test(arguments: [
        ("example.com", 0, HTTPServerError.invalidHost("example.com")), ("", 0, .invalidHost("")), ("127.1", 0, .invalidHost("127.1")),
        ("127.0.0.1", 65536, .invalidPort(65536)), ("127.0.0.1", -1, .invalidPort(-1)),
        ("192.0.2.1", 0, .addressNotAvailable(host: "192.0.2.1")),
    ])
    func whatCannotBeListenedOnIsTold(host: String, port: Int, expected: HTTPServerError) {
        let error = #expect(throws: HTTPServerError.self) { try server(host, port).bind() }
        #expect(error == expected)
    }

    @Test func localhostIsLoopback() async throws {
        #expect(try await TestServer.run(host: "localhost") { try $0.client().request("GET", "/").status } == 200)
    }

    @Test func connectionsAreSpreadAmongTheLoops() async throws {
        let responder = FunctionResponder(answer: { _ in FunctionResponder.text(String(pthread_self())) })
        let threads = try await TestServer.run(responder, loops: 3) { server in
            Set(try (0..<100).map { _ in try server.client().request("GET", "/").text })
        }
        #expect(threads.count == 3)
    }

    @Test func clientsOfABoundServerWaitForIt() async throws {
        let early = server("127.0.0.1", 0)
        let client = try TestClient(port: try early.bind().port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let shutdown = Shutdown()
        let thread = ClientThread()
        async let running: Void = early.run(until: shutdown)
        let status = try await withTaskExecutorPreference(thread) { try client.response().status }
        #expect(status == 200)
        shutdown.trigger()
        try await running
        thread.shutDown()
    }

    /// The port of a listening IPv4 socket; nil for any other descriptor.
    private static func localPort(_ descriptor: Int32) -> Int? {
        var listening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length) == 0, listening == 1 else { return nil }
        var address = sockaddr_in()
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @Test func socketsAreNotInherited() throws {
        let bound = server("127.0.0.1", 0)
        let port = try bound.bind().port
        // Other suites of this process open sockets of their own, so only those at our port count.
        let own = (Int32(3)..<65_536).filter { Self.localPort($0) == port }
        #expect(own.count == 2)
        for descriptor in own { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
        withExtendedLifetime(bound) {}
    }
}
