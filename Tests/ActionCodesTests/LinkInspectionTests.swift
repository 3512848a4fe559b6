import ActionCodes
import Platform
import TestSupport
import Testing

@Suite struct LinkInspectionTests {
    private let cases: UseCases
    private let now: UnixTime

    init() throws {
        cases = try UseCases()
        now = cases.clock.now
    }

    private func inspect(_ link: String, keys: KeyRing? = .example, after: Duration = .zero) -> LinkInspection {
        LinkInspection(link, keys: keys, now: now + after) { $0 == "example-web-key" ? try? .example : nil }
    }

    private func value(_ name: String, _ inspection: LinkInspection) -> String? { inspection.findings.first { $0.name == name }?.value }

    @Test func takesAWebLinkApart() async throws {
        let issued = try await cases.issue("anna@example.com")
        let inspection = inspect(issued.link)
        #expect(inspection.verdict == .genuine)
        #expect(value("form", inspection) == "web link")
        #expect(value("action page", inspection) == "https://auth.example.com/__/auth/action")
        #expect(value("apiKey", inspection) == "example-web-key" && value("mode", inspection) == "signIn")
        #expect(value("continueUrl", inspection) == "https://example.com/finish")
        #expect(value("project", inspection) == "example")
        #expect(value("expires", inspection) == "\(now + .seconds(6 * 3600))")
        for finding in inspection.findings { #expect(!finding.value.contains(issued.code), "the code itself is not shown") }
    }

    @Test func takesAnAppLinkApart() async throws {
        let issued = try await cases.issue("anna@example.com") {
            $0.canHandleCodeInApp = true
            $0.iOSBundleID = "com.example.app"
        }
        let inspection = inspect(issued.link)
        #expect(inspection.verdict == .genuine)
        #expect(value("form", inspection) == "app link on https://links.example.com")
        guard case .altered = inspect(issued.link.replacing("__%2Fauth", with: "__/auth")).verdict else { throw Unexpected.verdict }
        guard case .altered = inspect(String(issued.link.prefix(60)) + "%").verdict else { throw Unexpected.verdict }
    }

    private enum Unexpected: Error { case verdict }

    @Test func saysWhyALinkDoesNotWork() async throws {
        let link = try await cases.issue("anna@example.com").link
        #expect(inspect(link, keys: nil).verdict == .unverified)
        #expect(inspect(link, after: .seconds(6 * 3600)).verdict == .expired)
        #expect(inspect(link, keys: nil, after: .seconds(6 * 3600)).verdict == .expired)
        #expect(inspect("https://auth.example.com/").verdict == .altered("it has no parameters"))
        #expect(inspect("https://auth.example.com/?a=b").verdict == .altered("it has no oobCode"))
        #expect(inspect(link.replacing("example-web-key", with: "x")).verdict == .altered("no configured project has its apiKey"))
        for changed in [link.replacing("finish", with: "evil"), link.replacing("lang=en", with: "lang=de"), link + "&x=1"] {
            guard case .altered = inspect(changed).verdict else { throw Unexpected.verdict }
        }
        guard case .altered = inspect(link, keys: .foreign).verdict else { throw Unexpected.verdict }
        guard case .altered = inspect(String(link.dropLast()), keys: nil).verdict else { throw Unexpected.verdict }
    }

    @Test(arguments: [
        "", "?", "%", "https://x/__/auth/links?", "https://x/__/auth/links?link=%", "?oobCode=", "?oobCode=%zz", "?&=&", "\0",
    ])
    func survivesAnything(_ text: String) {
        #expect(inspect(text).verdict != .genuine)
    }
}
