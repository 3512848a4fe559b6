internal import Glibc
internal import Platform
internal import Synchronization

/// Serves the connections of one listening socket on one thread. Made and used on that thread only.
final class ConnectionLoop {
    let configuration: HTTPServerConfiguration
    let responder: any HTTPResponder
    let executor: LoopExecutor
    /// Milliseconds of the monotonic clock, as of this turn.
    private(set) var now: UInt64 = 0
    private var stage = LoopExecutor.Stage.serving
    private var connections: [Connection] = []
    private var suspended: [UInt64: Connection] = [:]
    private var lingering = LingeringSockets()
    private var requestsInFlight = 0
    private var lastNumber: UInt64
    private let numberStep: UInt64
    private var nextSweep: UInt64 = 0
    /// libmicrohttpd listens again, after it was full, only in the turn that follows the one that closed a connection.
    private var closedInThisTurn = false

    /// `index` is below `configuration.loops`; each loop takes every so many request numbers, so that none needs a lock for them.
    init(index: Int, configuration: HTTPServerConfiguration, responder: any HTTPResponder, executor: LoopExecutor) {
        self.configuration = configuration
        self.responder = responder
        self.executor = executor
        self.lastNumber = UInt64(index)
        self.numberStep = UInt64(max(1, configuration.loops))
        self.now = Self.monotonicMilliseconds()
    }

    /// Whether answers end their connection.
    var isDraining: Bool { stage >= .draining }
    /// Whether no handler may begin any more.
    var refusesWork: Bool { stage == .forced }

    /// Serves until the executor is drained or forced and nothing is in flight.
    func run(listener: Int32) throws(HTTPServerError) {
        // The daemon first: what it closes may still linger, and what it runs may still add jobs.
        defer { executor.finish() }
        let daemon = try DaemonHandle(listener: listener, configuration: configuration, events: self)
        defer {
            daemon.stop()
            lingering.closeAll()
        }
        var deadline = UInt64.max
        while true {
            now = Self.monotonicMilliseconds()
            closedInThisTurn = false
            let (answered, wanted) = executor.runJobs()
            for number in answered { suspended.removeValue(forKey: number)?.resume() }
            if stage == .serving && wanted >= .draining { beginDraining(daemon) }
            if stage == .draining && wanted == .forced { deadline = force() }
            guard daemon.run() else {
                _ = force()
                throw .engineFailed
            }
            lingering.drain(now: now)
            if now >= nextSweep { sweep() }
            if stage >= .draining && (requestsInFlight == 0 && lingering.isEmpty || now >= deadline) { break }
            executor.wait(descriptor: daemon.descriptor, milliseconds: timeout(daemon), stage: wanted)
        }
    }

    // MARK: What connections tell

    func opened(_ connection: Connection) {
        connection.position = connections.count
        connections.append(connection)
        executor.connections.store(connections.count, ordering: .relaxed)
    }

    func closed(_ connection: Connection, lingeringSocket: Int32?) {
        let last = connections.removeLast()
        if last !== connection {
            last.position = connection.position
            connections[connection.position] = last
        }
        closedInThisTurn = true
        if let lingeringSocket { lingering.keep(lingeringSocket, now: now) }
        executor.connections.store(connections.count, ordering: .relaxed)
    }

    func requestBegan() {
        requestsInFlight += 1
        executor.inFlight.store(requestsInFlight, ordering: .relaxed)
    }

    func requestEnded() {
        requestsInFlight -= 1
        executor.inFlight.store(requestsInFlight, ordering: .relaxed)
    }

    func nextNumber() -> UInt64 {
        lastNumber += numberStep
        return lastNumber
    }

    func suspended(_ connection: Connection, exchange: UInt64) {
        suspended[exchange] = connection
    }

    // MARK: Steps

    private func beginDraining(_ daemon: DaemonHandle) {
        // What has connected and what has been sent is still served; a few turns take in all that is there.
        for _ in 0..<64 where daemon.timeout == 0 || Self.isReadable(daemon.descriptor) { _ = daemon.run() }
        stage = .draining
        daemon.quiesce()
        for connection in connections { connection.endIfIdle() }
    }

    /// After this nothing is suspended, nor will be, once the daemon has run. Gives the time when to stop in any case.
    private func force() -> UInt64 {
        stage = .forced
        for connection in suspended.values { connection.interrupt(with: responder.response(to: .unavailable)) }
        suspended = [:]
        return now + 1000
    }

    private func sweep() {
        let limit = UInt64(max(1000, configuration.idleTimeout.wholeMilliseconds))
        nextSweep = now + min(1000, limit / 4)
        for connection in connections { connection.end(ifSlowerThan: limit) }
    }

    private func timeout(_ daemon: DaemonHandle) -> Int32 {
        if closedInThisTurn { return 0 }
        var milliseconds = daemon.timeout ?? -1
        func atMost(_ limit: Int32) { milliseconds = milliseconds < 0 ? limit : min(milliseconds, limit) }
        if !lingering.isEmpty || stage >= .draining { atMost(20) }
        if !connections.isEmpty { atMost(Int32(clamping: max(1, Int64(nextSweep) - Int64(now)))) }
        return milliseconds
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) > 0
    }

    private static func monotonicMilliseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
