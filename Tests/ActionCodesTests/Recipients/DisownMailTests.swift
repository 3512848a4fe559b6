import Accounts
import Mail
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct DisownMailTests {
    private let cases: UseCases

    init() throws { cases = try UseCases() }

    private var disown: DisownMail { DisownMail(store: cases.store, clock: cases.clock.wallClock) }

    private func link(of code: ActionCode) throws -> NotMeLink {
        let text = NotMeLink.text(for: code, project: try .example, keys: cases.keys)
        return try NotMeLink(String(text.suffix(60)), keys: cases.keys, now: cases.clock.now)
    }

    private func send(_ email: String) async throws -> ActionCode {
        _ = try await cases.send(UseCases.request(email), project: try .example)
        return try #require(try await cases.liveCodes().last { $0.email.text == email })
    }

    private func compositions() async throws -> [Composition] { try await cases.composer().compose(try await cases.claim()) }

    @Test func looksWithoutEffect() async throws {
        let code = try await send("anna@example.com")
        #expect(try await disown.inspect(try link(of: code)) == code)
        #expect(try await cases.liveCodes() == [code])
        #expect(try await compositions().count { if case .message = $0 { true } else { false } } == 1)
    }

    @Test func endsTheCodesOfTheAddressAndMutesItForADay() async throws {
        let first = try await send("anna@example.com")
        let second = try await send("anna@example.com")
        let bob = try await send("bob@example.com")
        #expect(try await disown(try link(of: first)) != nil)
        #expect(try await cases.liveCodes() == [bob])
        for code in [first, second] {
            let text = OOBCode.text(for: code, keys: cases.keys)
            #expect(await refusal { try await cases.complete("anna@example.com", text) } == .invalidOobCode)
        }
        // Accepted like everybody's, and dropped when it would go out.
        _ = try await compositions()
        _ = try await send("anna@example.com")
        guard case .drop(let reason) = try #require(try await compositions().first) else {
            Issue.record("a muted address gets mail")
            return
        }
        #expect(reason.hasPrefix("the owner of the address wants no mail until "))
        cases.clock.advance(by: .seconds(86_400))
        _ = try await send("anna@example.com")
        #expect(try await compositions().contains { if case .message = $0 { true } else { false } })
    }

    @Test func aMutedAddressMaySignInByPasswordAndTheWayBackStillGoesOut() async throws {
        let code = ActionCode.example(9, project: "example", operation: .recoverEmail, createdAt: cases.clock.now)
        let mute = Suppression(
            projectID: "example", email: code.email, cause: .muted, since: cases.clock.now, until: cases.clock.now + .seconds(60))
        #expect(mute.reasonToDrop(code) == nil)
        #expect(mute.reasonToDrop(.example(1, project: "example", createdAt: cases.clock.now)) != nil)
        var bounced = mute
        bounced.cause = .refused
        #expect(bounced.reasonToDrop(code) != nil)
    }

    @Test func theWayBackStaysAlive() async throws {
        let code = ActionCode.example(9, project: "example", operation: .recoverEmail, createdAt: cases.clock.now)
        try await cases.store.write { transaction throws(StoreError) in try transaction.insert(code, keepingAtMost: 5) }
        _ = try await disown(try link(of: code))
        #expect(try await cases.liveCodes() == [code])
    }

    @Test func theMailToANewAddressIsItsOwn() async throws {
        var code = ActionCode.example(9, project: "example", operation: .verifyAndChangeEmail, createdAt: cases.clock.now)
        code.newEmail = .example("new")
        let stored = code
        try await cases.store.write { transaction throws(StoreError) in try transaction.insert(stored, keepingAtMost: 5) }
        _ = try await disown(try link(of: code))
        #expect(try await cases.liveCodes().isEmpty)
        let now = cases.clock.now
        let muted = try await cases.store.read { reader throws(StoreError) in
            try reader.suppressions(project: "example", after: nil, limit: 9, now: now).map(\.email)
        }
        #expect(muted == [.example("new")])
    }

    @Test func aCodeThatIsGoneIsNoError() async throws {
        let code = ActionCode.example(99, project: "example", createdAt: cases.clock.now)
        #expect(try await disown(try link(of: code)) == nil)
        #expect(try await disown.inspect(try link(of: code)) == nil)
    }
}
