import ActionCodes
import Foundation
import Testing

/// Every case of the shared list, which stands in `Fixtures/continue-url-cases.json`.
@Suite struct ContinueURLTests {
    struct Case: Decodable, CustomTestStringConvertible {
        var url: String
        var verdict: String
        var why: String

        var testDescription: String { "\(url.prefix(80)) (\(why))" }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/continue-url-cases.json")
        guard let data = try? Data(contentsOf: file), let cases = try? JSONDecoder().decode([Case].self, from: data) else { return [] }
        return cases
    }()

    @Test func thereAreCases() {
        #expect(Self.cases.count == 45)
    }

    @Test(arguments: cases) func verdict(_ testCase: Case) {
        let policy = DomainPolicy.listed(["example.com", "localhost", "app.example.co.uk"])
        let url = ContinueURL(testCase.url)
        #expect((url.map { policy.allows($0.host) } ?? false) == (testCase.verdict == "accept"))
        if let url { #expect(url.text == testCase.url) }
    }

    @Test(arguments: [
        ("https://Example.com:8443/x?y#z", "https://example.com:8443"), ("https://example.com:/", "https://example.com"),
        ("http://localhost:3000", "http://localhost:3000"),
    ]) func origin(_ text: String, _ origin: String) {
        #expect(ContinueURL(text)?.origin == origin)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.255.0.9", true), ("127.1", false), ("127.0.0.256", false), ("128.0.0.1", false),
        ("localhost.example.com", false), ("127.0.0.1.nip.io", false),
    ]) func loopback(_ host: String, _ expected: Bool) {
        #expect(ContinueURL.isLoopback(host) == expected)
    }
}
