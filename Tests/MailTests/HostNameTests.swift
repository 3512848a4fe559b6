import Mail
import Testing

@Suite struct HostNameTests {
    @Test(arguments: [
        ("Example.COM", "example.com"), ("localhost", "localhost"), ("mail", "mail"), ("Bücher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ])
    func normalises(_ text: String, _ expected: String) {
        #expect(HostName.normalised(text) == expected)
        #expect(HostName(text)?.text == expected)
    }

    @Test(arguments: [
        "", ".", "example.com.", ".example.com", "a..b", "127.0.0.1", "[::1]", "::1", "a b.com", " example.com", "example.com:443",
        "*.example.com",
        "https://example.com", "user@example.com", "exa\0mple.com", "exam\u{200B}ple.com", "ｅxample.com", "a_b.com", "-a.com", "xn--.com",
    ])
    func refuses(_ text: String) {
        #expect(HostName.normalised(text) == nil)
    }
}
