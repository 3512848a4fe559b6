import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

/// Where a sign-in link hands over to.
@Suite struct ContinueRedirectTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com?"),
        ("https://example.com/finish", "https://example.com/finish?"),
        ("https://example.com/finish?", "https://example.com/finish?"),
        ("https://example.com/finish?a=1&b=%20", "https://example.com/finish?a=1&b=%20&"),
        ("https://example.com/?mode=x&a=1&oobCode=y&lang=z&apiKey=w", "https://example.com/?a=1&"),
        ("https://example.com/?mode=x&mode=y", "https://example.com/?"),
        ("https://example.com/?m%6Fde=x&oob%43ode", "https://example.com/?"),
        ("https://example.com/?Mode=x&modes=y&sig=1", "https://example.com/?Mode=x&modes=y&sig=1&"),
    ]) func setsAndReplaces(_ text: String, _ expected: String) throws {
        let (link, url) = try Self.link(text)
        let tail = "mode=signIn&oobCode=\(link.oobCode)&apiKey=example-web-key&lang=de"
        #expect(ContinueRedirect.url(url, for: link) == expected + tail)
    }

    @Test func keepsTheFragmentLast() throws {
        let (link, url) = try Self.link("https://example.com/?a=1#/route?mode=x")
        let result = ContinueRedirect.url(url, for: link)
        #expect(result.hasPrefix("https://example.com/?a=1&mode=signIn&oobCode="))
        #expect(result.hasSuffix("&lang=de#/route?mode=x"))
    }

    private static func link(_ text: String) throws -> (ActionLink, ContinueURL) {
        let now = UnixTime(seconds: 1_764_541_676)
        let url = try #require(ContinueURL(text))
        var settings = ActionCodeSettings()
        settings.continueURL = url
        let code = ActionCode(
            id: try #require(ActionCodeID([UInt8](repeating: 7, count: 16))), projectID: "example", operation: .signIn,
            email: try .init("a@example.com"), settings: settings, language: "de", apiKey: "example-web-key", createdAt: now,
            expiresAt: now + .seconds(3600))
        let project = try Project.example
        let link = try ActionLink(ActionLink.web(for: code, project: project, keys: .example), project: project, keys: .example, now: now)
        return (link, url)
    }
}
