import FoundationEssentials
import Testing

/// The matcher is what proves the generated files right, so it must itself agree with everything observed of Apple's.
@Suite struct AASAMatcherTests {
    struct Cases: Decodable {
        let components: [ComponentCase]
        let documents: [DocumentCase]

        static func load() throws -> Cases {
            try JSONDecoder().decode(Cases.self, from: Data(try Fixture.bytes("aasa-match-cases.json")))
        }
    }

    struct ComponentCase: Decodable, Sendable, CustomTestStringConvertible {
        let component: [String: JSON]
        let url: String
        let match: Bool
        var testDescription: String { "\(component) \(url)" }
    }

    struct DocumentCase: Decodable, Sendable, CustomTestStringConvertible {
        let applinks: JSON
        let url: String
        let result: AASAMatcher.Result
        var testDescription: String { "\(applinks) \(url)" }
    }

    @Test func `No case is lost on the way`() throws {
        let cases = try Cases.load()
        #expect(cases.components.count == 46)
        #expect(cases.documents.count == 11)
    }

    @Test(arguments: try Cases.load().components)
    func component(_ example: ComponentCase) {
        #expect(AASAMatcher.matches(example.component, SplitURL(example.url)) == example.match)
    }

    @Test(arguments: try Cases.load().documents)
    func document(_ example: DocumentCase) {
        #expect(AASAMatcher.result(applinks: example.applinks, appID: "ABCDE12345.com.example.app", url: example.url) == example.result)
    }

    @Test(arguments: [
        ("", "", true), ("*", "", true), ("?", "", false), ("?*", "", false), ("?*", "a", true), ("*a*b", "xaxxb", true),
        ("*a*b", "xbxxa", false),
        ("a", "ab", false), ("**", "abc", true),
    ])
    func glob(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(AASAMatcher.glob(pattern, text) == matches)
    }
}
