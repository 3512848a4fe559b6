import Glibc
import Platform
import Synchronization

@testable import HTTP

/// A responder made of functions.
struct FunctionResponder: HTTPResponder {
    var immediate: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    var answer: @Sendable (HTTPRequest) async -> HTTPResponse = FunctionResponder.describe

    func immediateResponse(to request: HTTPRequest) -> HTTPResponse? { immediate(request) }
    func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }

    /// Tells what arrived, a line an item.
    static let describe: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        text(
            "\(request.method)\n\(request.target)\n\(request.path)\n\(request.rawQuery ?? "-")\n"
                + String(decoding: request.body, as: UTF8.self))
    }

    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders([("Content-Type", "text/plain")]), body: .bytes(Array(text.utf8)))
    }
}

/// Counts, from any thread.
final class TestCounter: Sendable {
    private let value = Atomic<Int>(0)
    func add() { value.add(1, ordering: .relaxed) }
    var total: Int { value.load(ordering: .relaxed) }
}

/// A thread on which a test may block. A task executor, so that expectations on it still belong to their test.
final class ClientThread: TaskExecutor {
    private let queue: WorkQueue<UnownedJob>
    private let thread = Mutex<SystemThread?>(nil)

    init() {
        let queue = WorkQueue<UnownedJob>()
        self.queue = queue
        thread.withLock { thread in
            thread = SystemThread(name: "client") { [unowned self] in
                while let job = queue.take(upTo: 1).first { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { queue.put(UnownedJob(job)) }

    func shutDown() {
        queue.close()
        thread.withLock { $0 }?.join()
    }
}

/// A server on a port of its own for the time of one test.
struct TestServer: Sendable {
    let server: HTTPServer
    let port: Int
    let shutdown: Shutdown

    /// Runs `body` on a thread of its own, since it blocks, then shuts the server down and waits for its end.
    static func run<Result: Sendable>(
        _ responder: FunctionResponder = FunctionResponder(), host: String = "127.0.0.1", loops: Int = 2,
        configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestServer) throws -> Result
    ) async throws -> Result {
        var configuration = HTTPServerConfiguration(host: host, port: 0, loops: loops)
        configuration.requestIDPrefix = "abc"
        configure(&configuration)
        let server = HTTPServer(configuration: configuration, responder: responder, logger: .silent)
        let shutdown = Shutdown()
        let test = TestServer(server: server, port: try server.bind().port, shutdown: shutdown)
        let thread = ClientThread()
        defer { thread.shutDown() }
        async let running: Void = server.run(until: shutdown)
        let outcome: Swift.Result<Result, any Error> = await withTaskExecutorPreference(thread) {
            Swift.Result { try body(test) }
        }
        shutdown.trigger()
        try await running
        return try outcome.get()
    }

    func client() throws -> TestClient { try TestClient(port: port) }

    /// Waits up to five seconds.
    func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1000 where !condition() { TestServer.pause(milliseconds: 5) }
        return condition()
    }

    static func pause(milliseconds: Int) {
        usleep(UInt32(milliseconds) * 1000)
    }
}
