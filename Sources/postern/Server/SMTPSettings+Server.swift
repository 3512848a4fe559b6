internal import SMTP

extension SMTPSettings {
    /// The mail server as the SMTP target knows it.
    func makeServer() throws(SMTPConfigurationError) -> SMTPServer {
        let tls: SMTPServer.TLS =
            switch self.tls {
            case .required: .required
            case .opportunistic: .opportunistic
            case .off: .off
            }
        return try SMTPServer(
            url: url, username: username, password: password, tls: tls, helo: helo, connections: connections, timeout: timeout,
            caFile: caFile)
    }
}

extension Configuration {
    /// The mail servers as the SMTP target knows them, at least one.
    func mailServers() throws(CommandFailure) -> [SMTPServer] {
        guard !smtp.isEmpty else { throw CommandFailure(.configuration, "no mail server is configured") }
        return try CommandFailure.catching(.configuration) { () throws(SMTPConfigurationError) in
            var servers: [SMTPServer] = []
            for settings in smtp { servers.append(try settings.makeServer()) }
            return servers
        }
    }
}
