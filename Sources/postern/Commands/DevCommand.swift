internal import Crypto
internal import Platform
internal import SMTP

/// `postern dev`: everything on this machine, with an inbox in the browser.
struct DevCommand {
    private let options: DevOptions

    init(_ options: DevOptions) {
        self.options = options
    }

    func run() async throws(CommandFailure) {
        let server = try await ServerBuilder(configuration: try configuration(), development: try development()).build()
        Console.error("inbox and tools at http://\(server.address)/_postern/ · Ctrl-C stops")
        try await server.run()
    }

    private func configuration() throws(CommandFailure) -> Configuration {
        var configuration = Configuration(publicURL: "http://localhost")
        if let file = options.config {
            configuration = try CommandFailure.catching(.configuration) { () throws(ConfigurationError) in
                try ConfigurationReader(file: file, purpose: .dev(publicURL: "http://localhost")).read()
            }
        } else {
            configuration.log = LogSettings(level: .info, format: .text)
        }
        try CommandFailure.catching(.cannotCreate) { () throws(PrivateFile.Failure) in
            try PrivateFile.makeFolder(options.data)
            if configuration.secrets.isEmpty {
                // Kept, so that links of yesterday still open.
                let secret = try PrivateFile.contents(options.data + "/secret") { Randomness.system.bytes(32) }
                configuration.secrets = [Secret(secret)]
            }
        }
        configuration.listen = ListenAddress(host: options.host, port: options.port)
        configuration.adminListen = nil
        configuration.databasePath = options.data + "/postern.sqlite3"
        configuration.tokenKeysPath = options.data + "/keys"
        configuration.templatesPath = options.templates ?? configuration.templatesPath
        configuration.hostingPath = options.hosting ?? configuration.hostingPath
        return configuration
    }

    private func development() throws(CommandFailure) -> ServerBuilder.Development {
        var development = ServerBuilder.Development(defaultProject: options.project)
        if let url = options.smtpURL {
            development.mailServer = try CommandFailure.catching(.usage) { () throws(SMTPConfigurationError) in
                // A local catcher such as Mailpit offers no TLS; anything farther away must.
                let plain = try SMTPServer(url: url, tls: .opportunistic)
                return ListenAddress.isLoopback(plain.host) ? plain : try SMTPServer(url: url)
            }
        }
        return development
    }
}
