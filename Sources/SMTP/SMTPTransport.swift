public import Mail
public import Platform

/// Delivers over SMTP: libcurl opens, encrypts and authenticates each connection, and the transactions are spoken here.
///
/// Each lane opens its connection for its first message, keeps it while messages come and ends it after `SMTPServer.idleTimeout` without
/// one. Where the server takes groups of commands (RFC 2920), an envelope is one write, and that of the next message goes out behind the
/// dot of the present one.
///
/// Of several servers the first that works is used. One that fails is left alone for 2 to 4 seconds, then twice as long each time, at most
/// two minutes, and is then probed by one mail; the others go on with the next server meanwhile.
public struct SMTPTransport: MailTransport {
    private let pool: SMTPServerPool

    /// A transport to one of `servers`, of which there is at least one, in their order.
    ///
    /// `random` draws from 0 ..< 1, for the jitter of waits.
    public init(
        servers: [SMTPServer], metrics: Metrics = Metrics(), logger: Logger = .silent, clock: WallClock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        pool = SMTPServerPool(servers, metrics: metrics, logger: logger, clock: clock, random: random)
    }

    /// One lane a connection, as many as the server with the most.
    public var lanes: Int { pool.lanes }

    /// How each server is doing, in their order. Costs a lock, no more.
    public var statuses: [SMTPServerStatus] { pool.statuses }

    /// Works as one lane. Blocks its thread while it waits for the server, so it belongs on a `ThreadExecutor`.
    public func runLane(_ index: Int, source: any MailSource) async {
        var lane = SMTPLane(number: index, pool: pool, source: source)
        await lane.run()
    }
}
