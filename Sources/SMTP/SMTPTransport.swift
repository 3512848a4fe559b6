public import Mail

/// Delivers over SMTP: libcurl opens, encrypts and authenticates each connection, and the transactions are spoken here.
///
/// Each lane opens its connection for its first message, keeps it while messages come and ends it after `SMTPServer.idleTimeout` without
/// one. Where the server takes groups of commands (RFC 2920), an envelope is one write, and that of the next message goes out behind the
/// dot of the present one.
public struct SMTPTransport: MailTransport {
    private let server: SMTPServer

    /// A transport to one server.
    public init(server: SMTPServer) {
        self.server = server
    }

    /// One lane a connection.
    public var lanes: Int { server.connections }

    /// Works as one lane. Blocks its thread while it waits for the server, so it belongs on a `ThreadExecutor`.
    public func runLane(_ index: Int, source: any MailSource) async {
        var lane = SMTPLane(server: server, source: source)
        await lane.run()
    }
}
