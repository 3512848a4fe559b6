import ActionCodes
import FoundationEssentials
import Platform
import Testing

@testable import postern

@Suite struct ConfigurationReaderTests {
    static let minimal = """
        { publicURL: "https://auth.example.com", secrets: ["env:POSTERN_SECRET", "file:secret"], adminTokens: ["env:POSTERN_ADMIN_TOKEN"],
          smtp: { url: "smtps://mail.example.com", username: "u", password: "env:SMTP_PASSWORD" },
          projects: [{ id: "a", apiKeys: ["k"], mail: { from: "a@example.com",
            dkim: { domain: "example.com", selector: "s1", privateKey: "file:dkim.pem" } } }] }
        """

    @Test func secretsArriveWhole() throws {
        let configuration = try ConfigurationReader.read(Self.minimal)
        #expect(
            configuration.secrets.map { String(decoding: $0.exposed, as: UTF8.self) } == [
                "hush-this-is-a-secret-of-40-characters!!", "hush-this-secret-comes-from-a-file-....",
            ])
        #expect(configuration.adminTokens.map(\.exposed) == ["hush-admin-token"])
        #expect(configuration.smtp[0].password?.exposed == "hush-password")
        #expect(configuration.projects[0].dkim.first?.privateKey.exposed == "-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----")
    }

    @Test func noSecretIsEverPrinted() throws {
        let configuration = try ConfigurationReader.read(Self.minimal)
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in [dumped, "\(configuration)", String(reflecting: configuration), tree(configuration)] {
            #expect(text.contains("redacted"))
            #expect(!text.contains(ConfigurationSurroundings.canary))
            // Bytes print as numbers: 104, 117, 115, 104.
            #expect(!text.contains("104, 117") && !text.contains("- 104\n"))
        }
    }

    /// One newline goes, whatever its kind; a second one belongs to the value.
    @Test(arguments: [("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x", "x"), ("x \n", "x "), ("\nx", "\nx"), ("x\r", "x\r")])
    func oneNewlineIsTrimmed(_ content: String, _ expected: String) throws {
        let padding = String(repeating: "-", count: 40)
        let surroundings = ConfigurationSurroundings(variable: { _ in nil }, contents: { _ in Array((padding + content).utf8) })
        let reader = ConfigurationReader(file: "p.json5", purpose: .dev(publicURL: "http://localhost"), surroundings: surroundings)
        let configuration = try reader.read(Array("{ secrets: [\"file:s\"] }".utf8))
        #expect(configuration.secrets.map(\.exposed) == [Array((padding + expected).utf8)])
    }

    @Test(arguments: [
        ("/etc/postern/p.json5", "keys", "/etc/postern/keys"), ("p.json5", "keys", "keys"), ("a/p.json5", "keys", "a/keys"),
        ("/p.json5", "keys", "/keys"), ("a/p.json5", "/keys", "/keys"), ("../p.json5", "../keys", "../../keys"),
    ])
    func pathsBeginAtTheFile(_ file: String, _ path: String, _ expected: String) {
        #expect(ConfigurationReader(file: file).path(path) == expected)
    }

    @Test func unreadableAndForeignFiles() {
        let reader = ConfigurationReader(file: "/nowhere/postern.json5", surroundings: .fixtures)
        let missing = #expect(throws: ConfigurationError.self) { try reader.read() }
        #expect(missing?.description == "/nowhere/postern.json5: there is no such file; name a readable file with --config")
        let binary = #expect(throws: ConfigurationError.self) { try reader.read(Array("{\n  a: '".utf8) + [0xFF] + Array("'\n}".utf8)) }
        #expect(binary?.description == "/nowhere/postern.json5:2:1: the line is not UTF-8; save the file as UTF-8")
    }

    @Test func realFilesAndVariables() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("{ secrets: [\"file:secret\", \"file:none\", \"file:.\", \"env:POSTERN_NEVER_SET\"], adminTokens: [\"env:PATH\"] }".utf8)
            .write(to: folder.appending(path: "p.json5"))
        try Data((String(repeating: "s", count: 32) + "\n").utf8).write(to: folder.appending(path: "secret"))
        let reader = ConfigurationReader(file: folder.path + "/p.json5", purpose: .dev(publicURL: "http://localhost"))
        let error = #expect(throws: ConfigurationError.self) { try reader.read() }
        let problems = try #require(error?.problems)
        #expect(problems.filter { $0.keyPath.hasPrefix("secrets") }.map(\.keyPath) == ["secrets[1]", "secrets[2]", "secrets[3]"])
        #expect(problems[0].reason.hasSuffix("gives nothing: there is no such file"))
        #expect(problems[2].reason == "the environment variable \"POSTERN_NEVER_SET\" is not set")
    }

    @Test func projectsBecomeTheDomains() throws {
        let configuration = try ConfigurationReader.read(
            """
            { publicURL: "https://auth.example.com", secrets: ["env:POSTERN_SECRET"], smtp: { url: "smtps://mail.example.com" },
              projects: [
                { id: "a", apiKeys: ["k", "l"], authorizedDomains: ["example.com"], linkDomains: ["l.example.com"], mail: { from: "a@example.com" } },
                { id: "b", displayName: "B", apiKeys: ["m"], publicURL: "https://b.example.com/", issuer: "https://i.example.com",
                  actionURL: "https://b.example.com/act", emailPrivacy: false, emailLinkSignIn: false, passwordSignIn: false, allowSignUp: false,
                  includeCode: true, defaultLocale: "de", mail: { from: "B <b@example.com>", replyTo: "r@example.com" }, codeLifetimes: { signIn: "15m" },
                  limits: { completionsPerCode: 3 } },
              ] }
            """)
        let projects = configuration.makeProjects()
        try #require(projects.count == 2)
        #expect(projects[0].id == "a" && projects[0].displayName == "a" && projects[0].apiKeys == ["k", "l"])
        #expect(projects[0].authorizedDomains == .listed(["example.com"]) && projects[0].linkDomainPolicy == .listed(["l.example.com"]))
        #expect(projects[0].linkDomains == ["l.example.com"])
        #expect(projects[0].actionBase == "https://auth.example.com/__/auth/action")
        #expect(projects[0].lifetime(of: .signIn) == .seconds(6 * 3600) && projects[0].completionsPerCode == 5)
        #expect(projects[0].emailLinkSignIn && projects[0].defaultLocale == "en" && projects[0].mailReplyTo == nil)
        #expect(!projects[0].includeCode && projects[1].includeCode)
        #expect(projects[1].displayName == "B" && projects[1].publicURL == "https://b.example.com")
        #expect(projects[1].actionBase == "https://b.example.com/act")
        #expect(projects[1].lifetime(of: .signIn) == .seconds(900) && projects[1].completionsPerCode == 3)
        #expect(!projects[1].emailLinkSignIn && projects[1].defaultLocale == "de" && projects[1].mailReplyTo != nil)
        let policies = tree(projects.map(\.accounts))
        #expect(policies.contains("issuer: https://securetoken.google.com/a\n") && policies.contains("issuer: https://i.example.com\n"))
        #expect(policies.split(separator: "\n").filter { $0.hasSuffix(": false") }.count == 3)
    }
}
