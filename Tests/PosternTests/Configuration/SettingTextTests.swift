import Platform
import Testing

@testable import postern

@Suite struct SettingTextTests {
    @Test(arguments: [
        ("90s", 90), ("15m", 900), ("6h", 21_600), ("3d", 259_200), ("0s", 0), ("007m", 420), ("999999999d", 86_399_999_913_600),
    ])
    func durations(_ text: String, _ seconds: Int64) {
        #expect(Duration(settingText: text) == .seconds(seconds))
    }

    @Test(arguments: ["", "s", "90", "90 s", " 90s", "90S", "1.5h", "-1h", "+1h", "1h30m", "90ms", "٣d", "1000000000s", "1é"])
    func noDurations(_ text: String) {
        #expect(Duration(settingText: text) == nil)
    }

    @Test(arguments: ["1s", "90s", "15m", "6h", "3d", "25h", "61m", "0s"])
    func durationsAreWrittenAsTheyAreRead(_ text: String) {
        #expect(Duration(settingText: text)?.settingText == text)
    }

    @Test(
        arguments: [
            ("adress", ["address", "dress"], "address"), ("PORT", ["host", "port"], "port"), ("prot", ["port", "part"], "port"),
            ("user", ["url", "username"], "username"), ("xyz", ["abc"], nil), ("ab", ["a", "b"], "a"), ("", ["a"], "a"),
            ("us", ["username"], nil),
        ] as [(String, [String], String?)])
    func nearestNames(_ name: String, _ names: [String], _ expected: String?) {
        #expect(NearestName.find(name, in: names) == expected)
    }

    @Test(arguments: [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("port", "prot", 1)])
    func distances(_ left: String, _ right: String, _ expected: Int) {
        #expect(NearestName.distance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080", true), ("[::1]:0", "[::1]:0", true), ("localhost:1", "localhost:1", true),
        ("0.0.0.0:65535", "0.0.0.0:65535", false),
        ("[::]:80", "[::]:80", false), ("127.9.9.9:80", "127.9.9.9:80", true),
    ])
    func listenAddresses(_ text: String, _ description: String, _ isLoopback: Bool) throws {
        let address = try ListenAddress(configured: text)
        #expect(address.description == description)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", ":80", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:+1", "127.0.0.1:65536", "::1:80", "[::1]", "[127.0.0.1]:80",
        "example.com:80", "[::1]80", "127.1:80",
    ])
    func noListenAddresses(_ text: String) {
        #expect(throws: ConfigurationFault.self) { try ListenAddress(configured: text) }
    }

    @Test(arguments: [
        ("https://auth.example.com", "https://auth.example.com"), ("HTTPS://Auth.Example.COM:443", "https://auth.example.com"),
        ("http://localhost:80/", "http://localhost/"), ("http://127.0.0.1:9099", "http://127.0.0.1:9099"),
        ("https://bücher.example/a%20b", "https://xn--bcher-kva.example/a%20b"), ("https://a.example:8443/x", "https://a.example:8443/x"),
    ])
    func webURLs(_ text: String, _ expected: String) throws {
        #expect(try WebURL(configured: text).text == expected)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "http://example.com", "ftp://example.com", "https://u:p@example.com", "https://example.com:0",
        "https://example.com:",
        "https://example.com?x", "https://example.com/#x", "https://exa mple.com", "https://example.com\\@evil.example", "//example.com",
        "https://[::1]/",
        "https://example.com/ü", "https://*.example.com",
    ])
    func noWebURLs(_ text: String) {
        #expect(throws: ConfigurationFault.self) { try WebURL(configured: text) }
    }
}
