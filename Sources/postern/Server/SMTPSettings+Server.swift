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
