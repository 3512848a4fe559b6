/// Where a server listens and what it accepts.
public struct HTTPServerConfiguration: Sendable {
    /// A numeric IPv4 or IPv6 address, or `localhost` for 127.0.0.1; names are not resolved. `::` accepts IPv4 too.
    public var host: String
    /// The TCP port, 0 to 65535; 0 lets the system pick one.
    public var port: Int
    /// Threads that serve connections, at least 1. Default: 2.
    public var loops: Int
    /// The largest body, in bytes; larger ones are answered with 413. Default: 1 MiB.
    public var maximumBodyBytes: Int
    /// How long a connection may be idle, how long a request may take to arrive once it has begun, and how long a client may take no byte
    /// of an answer. Whole seconds, at least 1; default 30 s.
    public var idleTimeout: Duration
    /// How many connections are open at once; further ones wait in the system's queue. Split evenly among the loops. Default: 4096.
    public var maximumConnections: Int
    /// Memory of a connection for request line, headers and their index, in bytes. Cleared after each request, so
    /// more than needed costs time. Default: 24 KiB, which takes 16 KiB of target and headers.
    public var connectionMemoryBytes: Int
    /// How long requests in flight have to finish at shutdown before they are answered with 503. Default: 10 s.
    public var drainTimeout: Duration
    /// Begins every request id of this process. Default: six random characters.
    public var requestIDPrefix: String

    /// Makes a configuration; what is not given has its default.
    public init(host: String, port: Int, loops: Int = 2) {
        self.host = host
        self.port = port
        self.loops = loops
        self.maximumBodyBytes = 1 << 20
        self.idleTimeout = .seconds(30)
        self.maximumConnections = 4096
        self.connectionMemoryBytes = 24 << 10
        self.drainTimeout = .seconds(10)
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        self.requestIDPrefix = String((0..<6).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }
}
