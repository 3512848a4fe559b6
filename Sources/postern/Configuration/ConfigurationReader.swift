internal import Mail
internal import Platform

/// Reads a configuration file and reports everything that is wrong with it at once.
struct ConfigurationReader: Sendable {
    /// Which command the configuration is for.
    enum Purpose: Sendable, Equatable {
        /// `postern serve` and the commands about it: nothing that it needs may be missing.
        case serve
        /// `postern dev`: everything may be missing; this is the publicURL then.
        case dev(publicURL: String)
    }

    /// The fewest bytes of a secret.
    static let secretLength = 32
    /// The fewest characters of an admin token.
    static let adminTokenLength = 16

    /// What the configuration is for.
    let purpose: Purpose
    private let surroundings: ConfigurationSurroundings
    private let file: String

    /// Takes the path of the file as the command line named it; problems name it so.
    init(file: String, purpose: Purpose = .serve, surroundings: ConfigurationSurroundings = .process) {
        self.file = file
        self.purpose = purpose
        self.surroundings = surroundings
    }

    /// Reads the file.
    func read() throws(ConfigurationError) -> Configuration {
        let bytes: [UInt8]
        do throws(ConfigurationSurroundings.Unreadable) {
            bytes = try surroundings.contents(file)
        } catch {
            throw failure(nil, error.reason, "name a readable file with --config")
        }
        return try read(bytes)
    }

    /// Reads the content of the file.
    func read(_ bytes: [UInt8]) throws(ConfigurationError) -> Configuration {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let line =
                bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw failure(TextPosition(line: line + 1, column: 1), "the line is not UTF-8", "save the file as UTF-8")
        }
        let value: ConfigurationValue
        do throws(JSON5SyntaxError) {
            value = try JSON5Parser.parse(text)
        } catch {
            throw failure(error.position, "found \(error.found)", "expected \(error.expected)")
        }
        let report = ConfigurationReport(file: file)
        let root = ConfigurationSection(value, keyPath: "", pattern: "", report: report, reader: self)
        let configuration = root.flatMap(configuration)
        guard report.isEmpty, let configuration else { throw ConfigurationError(problems: report.problems) }
        return configuration
    }

    private func failure(_ position: TextPosition?, _ reason: String, _ remedy: String) -> ConfigurationError {
        .init(problems: [.init(file: file, position: position, keyPath: "", reason: reason, remedy: remedy)])
    }

    /// The path of a file or folder that the configuration names; relative ones begin at the configuration's own folder.
    func path(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// The path behind `file:`.
    func referencedFile(_ text: String) -> String? {
        text.suffix(after: "file:").map(path)
    }

    /// The bytes of a file that the configuration names.
    func contents(_ name: String) throws(ConfigurationSurroundings.Unreadable) -> [UInt8] {
        try surroundings.contents(path(name))
    }

    /// What a string with `env:` or `file:` leads to, or its own bytes.
    func resolve(_ field: ConfigurationField<String>) -> ConfigurationField<[UInt8]>? {
        if let name = field.value.suffix(after: "env:") {
            guard let value = surroundings.variable(name) else {
                field.refuse("the environment variable \(name.shown) is not set", "set it, or name another")
                return nil
            }
            guard !value.isEmpty else {
                field.refuse("the environment variable \(name.shown) is empty", "give it a value")
                return nil
            }
            return field.with(Array(value.utf8))
        }
        if let name = field.value.suffix(after: "file:") {
            do throws(ConfigurationSurroundings.Unreadable) {
                var bytes = try surroundings.contents(path(name))
                if bytes.last == UInt8(ascii: "\n") {
                    bytes.removeLast()
                    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
                }
                guard !bytes.isEmpty else {
                    field.refuse("the file \(path(name).shown) is empty", "write the value into it")
                    return nil
                }
                return field.with(bytes)
            } catch {
                field.refuse("the file \(path(name).shown) gives nothing: \(error.reason)", "name a readable file")
                return nil
            }
        }
        return field.with(Array(field.value.utf8))
    }

    // MARK: The service

    private func configuration(_ root: ConfigurationSection) -> Configuration? {
        let publicURL = publicURL(root)
        var configuration = Configuration(publicURL: publicURL?.value ?? fallbackPublicURL)
        if let listen = root.parsed("listen", as: ListenAddress.self) { configuration.listen = listen.value }
        if let adminListen = root.parsed("adminListen", as: ListenAddress.self) {
            if adminListen.value == configuration.listen, adminListen.value.port != 0 {
                adminListen.refuse("is the same as listen", "name another address or port, or leave it out")
            }
            configuration.adminListen = adminListen.value
        }
        configuration.adminTokens = adminTokens(root)
        configuration.trustedProxies = root.parsedList("trustedProxies", as: AddressRange.self).map(\.value)
        if let database = root.text("database") {
            if let path = database.value.suffix(after: "sqlite:"), !path.isEmpty, !path.hasPrefix("//"), path != ":memory:" {
                configuration.databasePath = self.path(path)
            } else {
                // The value is not shown: the URL of another kind of database may hold a password.
                database.refuse("it is no SQLite database", "expected sqlite:PATH")
            }
        }
        configuration.secrets = secrets(root)
        if let tokenKeys = root.text("tokenKeys") { configuration.tokenKeysPath = path(tokenKeys.value) }
        configuration.templatesPath = (root.text("templates")?.value).map(path)
        configuration.hostingPath = (root.text("hosting")?.value).map(path)
        if let log = root.section("log") {
            configuration.log = LogSettings(level: log.choice("level", default: .info), format: log.choice("format", default: .json))
        }
        configuration.smtp = root.sectionOrSections("smtp").compactMap { smtp($0, publicURL: publicURL?.value) }
        configuration.projects = ProjectReader(reader: self).projects(root.sections("projects"))
        return configuration
    }

    private var fallbackPublicURL: String {
        switch purpose {
        // Only behind a reported problem: serve insists on the setting.
        case .serve: ""
        case .dev(let publicURL): publicURL
        }
    }

    /// `publicURL` of the service or of a project: no path, no slash at the end.
    func publicURL(_ section: ConfigurationSection) -> ConfigurationField<String>? {
        guard let url = section.parsed("publicURL", as: WebURL.self) else { return nil }
        guard url.value.path.isEmpty || url.value.path == "/" else {
            url.refuse("\(url.value.text.shown) has a path", "expected scheme and host only, such as \(url.value.origin)")
            return nil
        }
        return url.with(url.value.origin)
    }

    private func adminTokens(_ root: ConfigurationSection) -> [Secret<String>] {
        var seen: Set<String> = []
        return root.referencedTexts("adminTokens").compactMap { token in
            let length = token.value.unicodeScalars.count
            if length < Self.adminTokenLength {
                token.refuse("is \(length) characters long", "expected at least \(Self.adminTokenLength)")
            } else if !token.value.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) {
                token.refuse(
                    "has a character that an Authorization header cannot carry", "expected visible ASCII characters without spaces")
            } else if !seen.insert(token.value).inserted {
                token.refuse("is the same as an earlier token", "remove one of the two")
            }
            return Secret(token.value)
        }
    }

    private func secrets(_ root: ConfigurationSection) -> [Secret<[UInt8]>] {
        var seen: Set<[UInt8]> = []
        return root.references("secrets").compactMap { secret in
            if secret.value.count < Self.secretLength {
                secret.refuse(
                    "is \(secret.value.count) bytes long", "expected at least \(Self.secretLength); openssl rand -hex 32 makes a good one")
            } else if !seen.insert(secret.value).inserted {
                secret.refuse("is the same as an earlier secret", "remove one of the two")
            }
            return Secret(secret.value)
        }
    }

    private func smtp(_ section: ConfigurationSection, publicURL: String?) -> SMTPSettings? {
        let url = section.parsed("url", as: MailServerURL.self)
        let username = section.referencedText("username")
        let password = section.referencedText("password")
        // A partner that is present but wrong has been reported.
        if let username, !section.has("password"), !section.has("oauth2") {
            username.refuse("stands alone", "give username and password, or neither")
        }
        if let password, !section.has("username") { password.refuse("stands alone", "give username and password, or neither") }
        if let password, section.has("oauth2") { password.refuse("stands beside oauth2", "keep one of the two") }
        let token = section.section("oauth2").flatMap { oauth2 -> SMTPSettings.AccessToken? in
            // Read here, too, so that a wrong path shows at the start and not with the first mail.
            if !oauth2.has("token"), section.has("username") {
                oauth2.report.add(
                    "\(oauth2.keyPath).token", at: oauth2.position, "is missing", "expected a string, or env:NAME or file:PATH")
            }
            guard let token = oauth2.referencedText("token"), let text = oauth2.text("token") else { return nil }
            if !section.has("username") { token.refuse("stands alone", "give the username that it is for") }
            guard token.value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                token.refuse("has a character that no access token has", "expected visible ASCII characters without spaces")
                return nil
            }
            return text.value.suffix(after: "file:").map { .file(path: path($0)) } ?? .value(Secret(token.value))
        }
        for field in [username, password].compactMap({ $0 }) where field.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            field.refuse("has a control character", "expected plain text without line breaks")
        }
        let tls = section.choice("tls", default: SMTPSettings.TLS.required)
        if let url, let chosen = section.text("tls") {
            if url.value.isImplicitTLS, tls != .required {
                chosen.refuse("\(tls.rawValue.shown) contradicts smtps://, which is always encrypted", "leave it out, or use smtp://")
            } else if tls == .off, !ListenAddress.isLoopback(url.value.host) {
                chosen.refuse("is off for a mail server elsewhere", "expected required or opportunistic; off is for loopback hosts only")
            }
        }
        let helo = section.text("helo").flatMap { helo in
            if HostName(helo.value) == nil {
                helo.refuse("\(helo.value.shown) is not a host name", "expected a name such as auth.example.com")
            }
            return HostName(helo.value)?.text
        }
        let connections = section.integer("connections")
        let timeout = section.duration("timeout")
        let caFile = section.text("caFile")
        guard let url else { return nil }
        var settings = SMTPSettings(url: url.value.text)
        settings.username = username?.value
        settings.password = (password?.value).map { Secret($0) }
        settings.accessToken = token
        settings.tls = tls
        settings.helo = helo ?? publicURL.flatMap { try? WebURL(configured: $0).host }
        settings.connections = connections ?? settings.connections
        settings.timeout = timeout ?? settings.timeout
        settings.caFile = (caFile?.value).map(path)
        return settings
    }
}

extension String {
    /// What follows a prefix; nil without it.
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
