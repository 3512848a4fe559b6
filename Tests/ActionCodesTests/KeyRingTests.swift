import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct KeyRingTests {
    @Test func theFirstSignsAndAllVerify() {
        #expect(KeyRing.rotated.signing.id != KeyRing.example.signing.id)
        #expect(KeyRing.rotated.key(KeyRing.example.signing.id) != nil)
        #expect(KeyRing.example.key(KeyRing.rotated.signing.id) == nil)
        #expect(KeyRing.foreign.key(KeyRing.example.signing.id) == nil)
    }

    @Test func anIdIsTheSecretsAndNotItsPlaces() {
        let secrets = [UInt8(1), 2].map { Secret([UInt8](repeating: $0, count: 32)) }
        #expect(KeyRing(secrets: secrets).key(KeyRing(secrets: secrets.reversed()).signing.id) != nil)
        #expect(KeyRing(secrets: secrets).signing.id.count == 5)
    }

    @Test func linksLiveThroughARotation() throws {
        let now = UnixTime(seconds: 1_796_000_000)
        var settings = ActionCodeSettings()
        settings.continueURL = ContinueURL("https://example.com/")
        let code = ActionCode.example(1, project: "example", createdAt: now, settings: settings)
        let project = try Project.example
        let link = ActionLink.web(for: code, project: project, keys: .example)
        #expect(try ActionLink(link, project: project, keys: .rotated, now: now).code.id == code.id)
        #expect(throws: ActionLink.Rejection.altered) { try ActionLink(link, project: project, keys: .foreign, now: now) }
    }
}
