import ActionCodes
import Platform
import TestSupport
import Testing

@Suite struct PageTokenTests {
    private static let now = UnixTime(seconds: 1_796_000_000)

    private func link(_ number: UInt64, keys: KeyRing = .example) throws -> ActionLink {
        let project = try Project.example
        let code = ActionCode.example(number, project: project.id, operation: .verifyEmail, createdAt: Self.now)
        return try ActionLink(ActionLink.web(for: code, project: project, keys: keys), project: project, keys: keys, now: Self.now)
    }

    @Test func aTokenFitsItsOwnLinkOnly() throws {
        let token = PageToken.text(for: try link(1), keys: .example)
        #expect(token.utf8.count == 24)
        #expect(PageToken.isValid(token, for: try link(1), keys: .example))
        #expect(!PageToken.isValid(token, for: try link(2), keys: .example))
        for wrong in ["", token.lowercased(), String(token.dropLast()), token + "A"] {
            #expect(!PageToken.isValid(wrong, for: try link(1), keys: .example))
        }
    }

    @Test func aPageOutlivesANewKey() throws {
        let token = PageToken.text(for: try link(1), keys: .example)
        let link = try ActionLink(
            ActionLink.web(
                for: .example(1, project: "example", operation: .verifyEmail, createdAt: Self.now), project: .example, keys: .example),
            project: .example, keys: .rotated, now: Self.now)
        #expect(PageToken.isValid(token, for: link, keys: .rotated))
    }
}
