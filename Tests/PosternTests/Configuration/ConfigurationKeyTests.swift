import ActionCodes
import Testing

@testable import postern

@Suite struct ConfigurationKeyTests {
    @Test func patternsAreUniqueAndHaveParents() {
        let patterns = ConfigurationKey.all.map(\.pattern)
        #expect(Set(patterns).count == patterns.count)
        for key in ConfigurationKey.all where !key.parent.isEmpty {
            let parent = key.parent.hasSuffix("[]") ? String(key.parent.dropLast(2)) : key.parent
            let kind = ConfigurationKey.named(parent)?.kind
            #expect(
                kind
                    == (key.parent.hasSuffix("[]")
                        ? .objects : ["smtp", "projects[].mail.dkim"].contains(parent) ? .objectOrObjects : .object),
                "\(key.pattern)")
        }
    }

    /// A setting of the table that nobody reads would be accepted and ignored: each must object to a value that it cannot take.
    @Test(arguments: ConfigurationKey.all.map(\.pattern))
    func everySettingIsRead(_ pattern: String) {
        var text = "NaN"
        for part in pattern.split(separator: ".").reversed() {
            text = part.hasSuffix("[]") ? "{ \(part.dropLast(2)): [\(text)] }" : "{ \(part): \(text) }"
        }
        let path = pattern.split(separator: "[]", omittingEmptySubsequences: false).joined(separator: "[0]")
        let problems = ConfigurationReader.problems(text, purpose: .dev(publicURL: "http://localhost"))
        #expect(problems.filter { $0.hasPrefix(path + ": ") }.count == 1, "\(problems)")
    }

    /// Defaults are written twice, in the table and in the values; reading the table's must change nothing.
    @Test func defaultsOfTheTableAreTheValues() throws {
        func object(_ parent: String) -> String {
            let members = ConfigurationKey.all.filter { $0.parent == parent }.compactMap { key -> String? in
                switch key.kind {
                case .object: "\(key.name): \(object(key.pattern))"
                case .objects where key.name == "projects": "projects: [\(object("projects[]"))]"
                case .objectOrObjects where key.name == "smtp": "smtp: \(object("smtp"))"
                case _ where key.pattern == "projects[].displayName": nil
                default: key.fallback.map { "\(key.name): \($0)" } ?? Self.needed[key.pattern].map { "\(key.name): \($0)" }
                }
            }
            return "{ " + members.joined(separator: ", ") + " }"
        }
        let written = try ConfigurationReader.read(object(""))
        var bare = try ConfigurationReader.read(
            """
            { publicURL: "https://auth.example.com", secrets: ["env:POSTERN_SECRET"], smtp: { url: "smtps://mail.example.com" },
              projects: [{ id: "a", apiKeys: ["k"], mail: { from: "a@example.com" } }] }
            """)
        bare.projects[0].limits = bare.projects[0].limits.orStandard
        bare.projects[0].codeLifetimes = written.projects[0].codeLifetimes
        #expect(tree(written) == tree(bare))
        for (operation, lifetime) in written.projects[0].codeLifetimes {
            #expect(lifetime == operation.defaultLifetime)
        }
        #expect(written.projects[0].codeLifetimes.count == 6)
    }

    private static let needed = [
        "publicURL": #""https://auth.example.com""#, "secrets": #"["env:POSTERN_SECRET"]"#, "smtp.url": #""smtps://mail.example.com""#,
        "projects[].id": #""a""#, "projects[].apiKeys": #"["k"]"#, "projects[].mail.from": #""a@example.com""#,
    ]

    @Test func tablesNameEverySetting() {
        let markdown = ConfigurationKey.markdown.split(separator: "\n")
        #expect(markdown.count == ConfigurationKey.all.count + 2)
        #expect(markdown.allSatisfy { $0.hasPrefix("| ") || $0.hasPrefix("|-") })
        for key in ConfigurationKey.all {
            #expect(ConfigurationKey.markdown.contains("| `\(key.pattern)` |"))
            #expect(ConfigurationKey.reference.contains("  \(key.pattern)\n"))
            #expect(key.meaning.hasSuffix("."))
        }
        #expect(ConfigurationKey.markdown.contains("`smtp.password` | a string, or env:NAME or file:PATH (secret) |"))
    }

    @Test func secretsAreMarked() {
        let secrets = ConfigurationKey.all.filter(\.isSecret).map(\.pattern)
        #expect(secrets == ["adminTokens", "secrets", "smtp.password", "smtp.oauth2.token", "projects[].mail.dkim.privateKey"])
    }
}
