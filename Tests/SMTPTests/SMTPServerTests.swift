import Platform
import Testing

@testable import SMTP

@Suite struct SMTPServerTests {
    static let urls: [(url: String, scheme: SMTPServer.Scheme, host: String, port: Int)] = [
        ("smtp://mail.example.com", .smtp, "mail.example.com", 587),
        ("smtp://mail.example.com:25", .smtp, "mail.example.com", 25),
        ("smtp://mail.example.com/", .smtp, "mail.example.com", 587),
        ("SMTPS://Mail.Example.com", .smtps, "mail.example.com", 465),
        ("smtps://192.0.2.1:465", .smtps, "192.0.2.1", 465),
        ("smtp://[2001:DB8::1]", .smtp, "2001:db8::1", 587),
        ("smtp://[::1]:1025", .smtp, "::1", 1025),
        ("smtp://mail_server:25", .smtp, "mail_server", 25),
        ("smtp://u:p@mail.example.com:2525", .smtp, "mail.example.com", 2525),
    ]

    @Test(arguments: urls) func readsURLs(_ url: String, _ scheme: SMTPServer.Scheme, _ host: String, _ port: Int) throws {
        let server = try SMTPServer(url: url)
        #expect(server.scheme == scheme && server.host == host && server.port == port)
        #expect(server.tls == .required && server.connections == 8 && server.timeout == .seconds(30))
    }

    static let wrong: [(url: String, error: SMTPConfigurationError)] = [
        ("", .scheme), ("mail.example.com", .scheme), ("http://mail.example.com", .scheme), ("smtp:mail.example.com", .scheme),
        ("smtp://", .host), ("smtp://:25", .host), ("smtp://a b", .host), ("smtp://ex\u{E4}mple.com", .host), ("smtp://a..b", .host),
        ("smtp://-a", .host), ("smtp://[::1", .host), ("smtp://[zz]", .host), ("smtp://[::1]25", .host), ("smtp://a%0d%0ab", .host),
        ("smtp://a\r\nb", .host), ("smtp://a:0", .port), ("smtp://a:65536", .port), ("smtp://a:", .port), ("smtp://a:+5", .port),
        ("smtp://a:25:26", .port), ("smtp://a/helo", .trailingParts), ("smtp://a?x", .trailingParts), ("smtp://a#x", .trailingParts),
        ("smtp://u@a", .incompleteCredentials), ("smtp://:p@a", .incompleteCredentials), ("smtp://u:@a", .incompleteCredentials),
        ("smtp://u:%4@a", .userInfo), ("smtp://u:%zz@a", .userInfo), ("smtp://u:%ff@a", .userInfo),
        ("smtp://u:%00@a", .credentialCharacters),
        ("smtp://u%0d:p@a", .credentialCharacters),
    ]

    @Test(arguments: wrong) func refusesURLs(_ url: String, _ error: SMTPConfigurationError) {
        #expect(throws: error) { try SMTPServer(url: url) }
    }

    @Test func decodesCredentials() throws {
        let server = try SMTPServer(url: "smtp://user%40example.com:p%3Aa%2Fss:w%C3%B6rd@mail.example.com")
        #expect(server.username == "user@example.com")
        #expect(server.password?.exposed == "p:a/ss:wörd")
    }

    @Test func takesCredentialsOnce() throws {
        #expect(throws: SMTPConfigurationError.credentialsTwice) {
            try SMTPServer(url: "smtp://u:p@a.example", username: "v", password: Secret("q"))
        }
        #expect(throws: SMTPConfigurationError.incompleteCredentials) { try SMTPServer(url: "smtp://a.example", username: "v") }
        #expect(throws: SMTPConfigurationError.incompleteCredentials) { try SMTPServer(url: "smtp://a.example", password: Secret("q")) }
    }

    @Test func neverPrintsThePassword() throws {
        let server = try SMTPServer(url: "smtp://user:hunter2@mail.example.com")
        var dumped = ""
        dump(server, to: &dumped)
        for text in ["\(server)", String(reflecting: server), dumped] { #expect(!text.contains("hunter2")) }
        for (url, _) in Self.wrong where url.contains("@") {
            do {
                _ = try SMTPServer(url: url.replacing("u", with: "hunter1").replacing("p@", with: "hunter2@"))
            } catch {
                #expect(!"\(error)".contains("hunter"))
            }
        }
    }

    @Test(arguments: ["127.0.0.1", "127.9.8.7", "localhost", "LOCALHOST", "[::1]", "[0:0:0:0:0:0:0:1]"])
    func allowsPlaintextOnThisMachine(_ host: String) throws {
        #expect(try SMTPServer(url: "smtp://\(host):25", tls: .off).tls == .off)
    }

    @Test(arguments: [
        "mail.example.com", "192.0.2.1", "128.0.0.1", "127.1", "127.0.0.1.example.com", "localhost.example.com", "[::2]", "0x7f.1",
    ])
    func refusesPlaintextElsewhere(_ host: String) {
        #expect(throws: SMTPConfigurationError.self) { try SMTPServer(url: "smtp://\(host):25", tls: .off) }
    }

    @Test func refusesContradictionsAndRanges() {
        #expect(throws: SMTPConfigurationError.tlsContradiction) { try SMTPServer(url: "smtps://127.0.0.1", tls: .off) }
        #expect(throws: SMTPConfigurationError.tlsContradiction) { try SMTPServer(url: "smtps://127.0.0.1", tls: .opportunistic) }
        for connections in [-1, 0, 257] {
            #expect(throws: SMTPConfigurationError.connections) { try SMTPServer(url: "smtp://a.example", connections: connections) }
        }
        for timeout in [Duration.zero, .milliseconds(999), .seconds(601)] {
            #expect(throws: SMTPConfigurationError.timeout) { try SMTPServer(url: "smtp://a.example", timeout: timeout) }
        }
        for helo in ["", "a b", "a\r\nMAIL", "a/b", "[1.2.3]", "[::1]", "a%0d", "ü.example"] {
            #expect(throws: SMTPConfigurationError.helo) { try SMTPServer(url: "smtp://a.example", helo: helo) }
        }
        for helo in ["mailer.example", "vm", "[127.0.0.1]", "[IPv6:::1]"] {
            #expect(throws: Never.self) { try SMTPServer(url: "smtp://a.example", helo: helo) }
        }
    }

    @Test func encryptsBeforeAnyPassword() throws {
        #expect(try SMTPServer(url: "smtp://a.example").mustEncrypt)
        #expect(try !SMTPServer(url: "smtp://a.example", tls: .opportunistic).mustEncrypt)
        #expect(try SMTPServer(url: "smtp://u:p@a.example", tls: .opportunistic).mustEncrypt)
        #expect(try !SMTPServer(url: "smtp://u:p@127.0.0.1", tls: .off).mustEncrypt)
    }

    @Test func anAccessTokenStandsInPlaceOfAPassword() throws {
        let token = SMTPAccessToken.value(Secret("token"))
        let server = try SMTPServer(url: "smtp://a.example", username: "ann", accessToken: token, tls: .opportunistic)
        #expect(server.mustEncrypt, "no token in the clear")
        #expect(throws: SMTPConfigurationError.incompleteCredentials) { try SMTPServer(url: "smtp://a.example", accessToken: token) }
        #expect(throws: SMTPConfigurationError.incompleteCredentials) {
            try SMTPServer(url: "smtp://a.example", username: "ann", password: Secret("b"), accessToken: token)
        }
    }
}
