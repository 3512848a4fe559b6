import Testing

@testable import Routes

/// The description of the API against the router and the fixtures.
@Suite struct OpenAPIDocumentTests {
    private static let development = OpenAPIDocument(isDevelopment: true)

    private static func paths(_ document: OpenAPIDocument) throws -> [String: JSONValue] {
        let members = try #require(JSONValue.parse(document.bytes)?.members)
        return try #require(members["paths"]?.members)
    }

    /// A path as a client would send it.
    private static func example(_ template: String) -> String {
        template.replacing("{project}", with: "example").replacing("{address}", with: "anna@example.com")
    }

    @Test func everyDescribedPathIsAnswered() throws {
        let paths = try Self.paths(Self.development)
        #expect(paths.count > 40)
        for (template, item) in paths {
            let route = try #require(Route(path: Self.example(template)), "\(template)")
            for method in try #require(item.members).keys { #expect(route.methods.contains(method.uppercased()), "\(method) \(template)") }
        }
    }

    /// What the router calls an operation, by each of its names, is described at that very path with that very verb.
    @Test func everyOperationIsDescribed() throws {
        let paths = try Self.paths(OpenAPIDocument(isDevelopment: false))
        let names = [
            "sendOobCode", "signInWithEmailLink", "resetPassword", "signUp", "lookup", "delete", "update", "signInWithPassword",
            "signInWithCustomToken", "createAuthUri", "batchGet", "batchDelete", "query",
        ]
        let legacyNames = [
            "getOobConfirmationCode", "emailLinkSignin", "resetPassword", "signupNewUser", "getAccountInfo", "deleteAccount",
            "setAccountInfo", "verifyPassword", "verifyCustomToken", "signOutUser", "createAuthUri", "downloadAccount", "getProjectConfig",
        ]
        let templates =
            names.flatMap { ["/v1/accounts:\($0)", "/v1/projects/{project}/accounts:\($0)"] }
            + legacyNames.map { "/identitytoolkit/v3/relyingparty/\($0)" }
            + ["/v1/projects/{project}/accounts", "/v1/projects/{project}:queryAccounts"]
        var found: Set<String> = []
        for template in templates {
            guard let route = Route(path: Self.example(template)) else {
                #expect(paths[template] == nil, "\(template)")
                continue
            }
            let item = try #require(paths[template]?.members, "\(template) is answered and not described")
            switch route {
            case .api(let operation, _, _), .legacy(let operation): found.insert("\(operation)")
            default: break
            }
            #expect(item.keys.contains { route.methods.contains($0.uppercased()) }, "\(template)")
        }
        #expect(found == Set(APIOperation.all.map { "\($0)" }))
        // One of them has a name in v3 only.
        #expect(APIOperation.all.count == names.count + 1)
    }

    /// Every code that a fixture shows is in the list of its path.
    @Test func everyErrorCodeOfTheFixturesIsListed() throws {
        let paths = try Self.paths(Self.development)
        var seen: Set<String> = []
        for file in try FixtureFile.all() {
            for step in file.steps {
                guard let message = step.errorCode, step.status == 400, step.method != "OPTIONS" else { continue }
                let code = message.split(separator: " ").first.map(String.init) ?? ""
                guard code.utf8.allSatisfy({ $0 == 0x5F || (0x41...0x5A).contains($0) }) else { continue }
                guard let template = Self.template(of: step.target, in: paths) else {
                    // Tenants exist in paths only to be refused; nobody is told to use them.
                    #expect(step.target.contains("/tenants/"), "\(step.target) in \(file.name).http")
                    continue
                }
                let operations = try #require(paths[template]?.members).values
                let listed = operations.contains { operation in operation.codes.contains(code) }
                #expect(listed, "\(code) of \(template), \(file.name).http line \(step.line)")
                seen.insert(code)
            }
        }
        #expect(seen.count > 50)
    }

    private static func template(of target: String, in paths: [String: JSONValue]) -> String? {
        let path = target.prefix { $0 != "?" }.replacing("%3A", with: ":")
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if segments.first?.hasSuffix(".googleapis.com") == true { segments.removeFirst() }
        return paths.keys.first { template in
            let wanted = template.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
            return wanted.count == segments.count
                && zip(wanted, segments).allSatisfy { wanted, segment in
                    if wanted == "{address}" { return true }
                    guard wanted.hasPrefix("{project}") else { return wanted == segment }
                    return wanted == "{project}" ? !segment.contains(":") : segment.hasSuffix(wanted.dropFirst(9))
                }
        }
    }

    @Test func itIsTheSameOnEveryRun() {
        #expect(OpenAPIDocument(isDevelopment: true).bytes == Self.development.bytes)
    }

    @Test func whatOnlyDevAnswersIsDescribedThereOnly() throws {
        let serve = try Self.paths(OpenAPIDocument(isDevelopment: false)).keys
        #expect(!serve.contains { $0.contains("emulator") || $0.contains("_postern") || $0 == "/" })
        #expect(try Self.paths(Self.development).keys.contains("/_postern/inbox.json"))
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The codes that an operation of the document lists.
    fileprivate var codes: [String] {
        guard case .array(let items) = members?["responses"]?.members?["400"]?.members?["x-error-codes"] else { return [] }
        return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
