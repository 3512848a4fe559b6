import ActionCodes
import Mail
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct SendOobCodeTests {
    private let cases: UseCases

    init() throws { cases = try UseCases() }

    @Test func storesCodeAndMailTogetherAndWakesTheOutbox() async throws {
        var request = UseCases.request(" Anna@EXAMPLE.com")
        request.apiKey = "example-web-key"
        let answer = try await cases.send(request, project: .example)
        #expect(answer.email == "anna@example.com" && answer.oobCode == nil && answer.oobLink == nil)
        let code = try #require(try await cases.liveCodes().first)
        #expect(code.email.text == "anna@example.com" && code.apiKey == "example-web-key" && code.language == "en")
        #expect(code.expiresAt == cases.clock.now + .seconds(6 * 3600))
        let entry = try #require(try await cases.claim().first)
        #expect(entry.codeID == code.id.bytes && entry.expiresAt == code.expiresAt && entry.recipientDomain == "example.com")
        #expect(cases.wakes.load(ordering: .relaxed) == 1)
    }

    @Test func aLinkForThePrivilegedIsNotMailed() async throws {
        let issued = try await cases.issue("anna@example.com")
        #expect(issued.link.contains(issued.code))
        #expect(try await cases.claim().isEmpty)
        #expect(cases.wakes.load(ordering: .relaxed) == 0)
        #expect(try await cases.liveCodes().count == 1)
    }

    @Test func fiveAreAliveAtMost() async throws {
        var codes: [String] = []
        for _ in 0..<7 {
            codes.append(try await cases.issue("anna@example.com").code)
            cases.clock.advance(by: .seconds(1))
        }
        _ = try await cases.issue("bob@example.com")
        #expect(try await cases.liveCodes().count { $0.email.text == "anna@example.com" } == 5)
        for code in codes.prefix(2) { #expect(await refusal { try await cases.complete("anna@example.com", code) } == .invalidOobCode) }
        #expect(await refusal { try await cases.complete("anna@example.com", codes[2]) } == nil)
    }

    /// Each request has all the mistakes of those below it, so each line also says which mistake is told first.
    @Test(arguments: [
        ("type", ActionCodeError.missingRequestType), ("permission", .insufficientPermission), ("continueUrl", .invalidContinueURI),
        ("domain", .unauthorizedDomain), ("dynamic", .dynamicLinkNotActivated), ("android", .missingAndroidPackageName),
        ("ios", .missingIOSBundleID), ("link", .invalidHostingLinkDomain), ("offered", .operationNotAllowed), ("email", .missingEmail),
        ("address", .invalidEmail), ("continue", .missingContinueURI),
    ]) func order(_ first: String, _ expected: ActionCodeError) async throws {
        let names = [
            "type", "permission", "continueUrl", "domain", "dynamic", "android", "ios", "link", "offered", "email", "address", "continue",
        ]
        let wrong = Set(names.drop { $0 != first })
        var request = UseCases.request("anna@example.com")
        var project = try Project.example
        if wrong.contains("type") { request.operation = nil }
        if wrong.contains("permission") { request.returnOobLink = true }
        if wrong.contains("continue") { request.continueURL = nil }
        if wrong.contains("domain") { request.continueURL = "https://evil.test/" }
        if wrong.contains("continueUrl") { request.continueURL = "nonsense" }
        if wrong.contains("dynamic") { request.dynamicLinkDomain = "x.page.link" }
        if wrong.contains("android") { request.androidInstallApp = true }
        if wrong.contains("ios") { request.iOSAppStoreID = "1" }
        if wrong.contains("link") {
            request.canHandleCodeInApp = true
            request.linkDomain = "evil.test"
        }
        if wrong.contains("offered") { project.emailLinkSignIn = false }
        if wrong.contains("address") { request.email = "nonsense" }
        if wrong.contains("email") { request.email = nil }
        let settled = request
        let chosen = project
        #expect(await refusal { try await cases.send(settled, project: chosen) } == expected)
        #expect(try await cases.liveCodes().isEmpty)
        #expect(try await cases.claim().isEmpty)
    }

    @Test func devLearnsOfHostsThatServeWouldWant() async throws {
        let seen = Mutex<[String]>([])
        let send = SendOobCode(
            store: cases.store, keys: cases.keys, verifier: cases.verifier, clock: cases.clock.wallClock, randomness: cases.randomness,
            templates: { preconditionFailure("the locale is given") }, wakeOutbox: {},
            unlistedHost: { project, key, host in seen.withLock { $0.append("\(project.id) \(key) \(host)") } })
        var project = try Project.example
        var request = UseCases.request("anna@example.com")
        request.locale = "de"
        request.canHandleCodeInApp = true
        request.linkDomain = "links.example.com"
        _ = try await send(request, project: project)
        #expect(seen.withLock { $0 }.isEmpty)
        project.authorizedDomains = .any
        project.linkDomainPolicy = .any
        _ = try await send(request, project: project)
        #expect(seen.withLock { $0 } == ["example authorizedDomains example.com", "example linkDomains links.example.com"])
    }

    @Test(
        arguments: [
            ("de", ["fr"], "de"), ("in_ID", [], "in-ID"), ("zh_TW", ["fr-CA", "de"], "fr"), ("zh-TW", ["sv"], "zh-TW"),
            ("iw", ["fr"], "iw"),
            ("not a tag", ["pt-PT"], "pt-BR"), (nil, ["sv", "zh-CN"], "zh-Hans"), (nil, [], "en"), (nil, ["sv"], "en"),
        ] as [(String?, [String], String)])
    func theLanguageIsTheFirstThatIsServed(_ locale: String?, _ accepted: [String], expected: String) async throws {
        var request = UseCases.request("anna@example.com")
        request.locale = locale
        request.acceptedLanguages = accepted
        _ = try await cases.send(request, project: try .example)
        #expect(try await cases.liveCodes().first?.language == expected)
    }

    @Test func aProjectsOwnLifetimeCounts() async throws {
        var project = try Project.example
        project.codeLifetimes = [.signIn: .seconds(600)]
        _ = try await cases.issue("anna@example.com", project: project)
        #expect(try await cases.liveCodes().first?.expiresAt == cases.clock.now + .seconds(600))
    }
}
