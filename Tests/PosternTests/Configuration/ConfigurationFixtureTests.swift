import FoundationEssentials
import Testing

@testable import postern

/// Reads every `Fixtures/config/*.json5`. Beside it stands `NAME.problems.txt` or `NAME.configuration.txt` with what must come of it;
/// a first line `// dev` reads it for `postern dev`.
@Suite struct ConfigurationFixtureTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/config")

    static func names(ending suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }.sorted().map {
            String($0.dropLast(suffix.count))
        }
    }

    static func content(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    @Test func thereAreFixtures() throws {
        #expect(try Self.names(ending: ".json5").count >= 15)
    }

    @Test func nothingIsExpectedOfNothing() throws {
        let inputs = Set(try Self.names(ending: ".json5"))
        let expectations = try Self.names(ending: ".problems.txt") + Self.names(ending: ".configuration.txt")
        #expect(Set(expectations) == inputs)
        #expect(expectations.count == inputs.count)
    }

    @Test(arguments: try ConfigurationFixtureTests.names(ending: ".json5"))
    func fixture(_ name: String) throws {
        let input = try Self.content(name + ".json5")
        let purpose: ConfigurationReader.Purpose = input.hasPrefix("// dev\n") ? .dev(publicURL: "http://127.0.0.1:9099") : .serve
        var actual: String
        let kind: String
        do throws(ConfigurationError) {
            let configuration = try ConfigurationReader.read(input, purpose: purpose)
            actual = tree(configuration)
            kind = ".configuration.txt"
        } catch {
            actual = error.problems.map { String($0.description.dropFirst("/etc/postern/".count)) + "\n" }.joined()
            kind = ".problems.txt"
        }
        #expect(!actual.contains(ConfigurationSurroundings.canary))
        // Nothing is recorded here: a new fixture's expectation is written by hand, from this message if it is right.
        let expected = try? Self.content(name + kind)
        #expect(expected == actual, "\(name)\(kind) should be:\n\(actual)")
    }
}
