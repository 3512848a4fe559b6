public import Platform
internal import Synchronization

/// Serves HTTP/1.1 over TCP with libmicrohttpd, on threads of its own (one a loop).
public final class HTTPServer: Service {
    private struct Binding {
        let sockets: [ListeningSocket]
        let host: String
        let port: Int
    }

    private let configuration: HTTPServerConfiguration
    private let responder: any HTTPResponder
    private let logger: Logger
    private let binding = Mutex<Binding?>(nil)
    private let executors = Mutex<[LoopExecutor]>([])

    /// What the log calls it.
    public let name = "http"

    /// Makes a server that does nothing yet.
    public init(configuration: HTTPServerConfiguration, responder: any HTTPResponder, logger: Logger) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
    }

    /// Takes the port. Connections queue in the system from then on and are served once `run(until:)` is called.
    ///
    /// Gives the host as configured and the actual port. Calling it again gives the same.
    @discardableResult
    public func bind() throws(HTTPServerError) -> (host: String, port: Int) {
        let host = configuration.host
        let wanted = configuration.port
        let loops = max(1, configuration.loops)
        return try binding.withLock { binding throws(HTTPServerError) in
            if let binding { return (binding.host, binding.port) }
            let opened = try ListeningSocket.open(host: host, port: wanted, count: loops)
            binding = Binding(sockets: opened.sockets, host: host, port: opened.port)
            return (host, opened.port)
        }
    }

    /// Serves until the signal, then stops accepting, closes idle connections and finishes what is in flight.
    ///
    /// After `drainTimeout` the rest is answered with 503 and its handlers are cancelled. Call once.
    public func run(until shutdown: Shutdown) async throws {
        let (host, port) = try bind()
        let sockets = binding.withLock { $0?.sockets ?? [] }
        let over = Shutdown()
        let running = try sockets.map { _ throws(HTTPServerError) in try LoopExecutor() }
        let loops = zip(sockets, running).enumerated().map { index, parts in
            LoopThread(
                index: index, socket: parts.0, configuration: configuration, responder: responder, executor: parts.1, over: over)
        }
        executors.withLock { $0 = running }
        logger.info("listening", [("host", host), ("port", String(port))])

        let forwarding = Task {
            await shutdown.wait()
            over.trigger()
        }
        await over.wait()
        for executor in running { executor.advance(to: .draining) }
        let limit = configuration.drainTimeout
        let forcing = Task {
            try await Task.sleep(for: limit)
            for executor in running { executor.advance(to: .forced) }
        }
        var failure: HTTPServerError?
        for loop in loops {
            do { try await loop.end() } catch { failure = error }
        }
        forcing.cancel()
        forwarding.cancel()
        logger.info("stopped listening", [("host", host), ("port", String(port))])
        if let failure { throw failure }
    }

    /// Connections open now.
    public var connectionCount: Int { executors.withLock { $0 }.reduce(0) { $0 + $1.connections.load(ordering: .relaxed) } }

    /// Requests whose first line has arrived and whose answer is not sent to its end.
    public var inFlight: Int { executors.withLock { $0 }.reduce(0) { $0 + $1.inFlight.load(ordering: .relaxed) } }
}
