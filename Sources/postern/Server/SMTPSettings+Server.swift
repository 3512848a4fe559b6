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
        let accessToken: SMTPAccessToken? =
            switch self.accessToken {
            case .value(let secret): .value(secret)
            case .file(let path): .file(path: path)
            case nil: nil
            }
        return try SMTPServer(
            url: url, username: username, password: password, accessToken: accessToken, tls: tls, helo: helo, connections: connections,
            timeout: timeout,
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
