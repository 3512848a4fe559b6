import Crypto
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct NotMeLinkTests {
    private let now = UnixTime(seconds: 1_796_000_000)
    private var code: ActionCode { .example(7, project: "example", createdAt: now) }

    private func token(keys: KeyRing = .example) throws -> String {
        let text = NotMeLink.text(for: code, project: try .example, keys: keys)
        let start = "https://auth.example.com/__/auth/not-me?t="
        try #require(text.hasPrefix(start))
        return String(text.dropFirst(start.count))
    }

    @Test func namesItsCodeAndNoAddress() throws {
        let token = try token()
        let link = try NotMeLink(token, keys: .example, now: now)
        #expect(link.id == code.id && link.expiresAt == code.expiresAt && link.token == token)
        let bytes = try #require(Base64URL.decode(token))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("anna"))
    }

    @Test func worksADayLongerThanItsCode() throws {
        let token = try token()
        let end = code.expiresAt + .seconds(86_400)
        _ = try NotMeLink(token, keys: .example, now: end - .milliseconds(1))
        #expect(throws: NotMeLink.Rejection.expired) { try NotMeLink(token, keys: .example, now: end) }
    }

    @Test func isFollowedAfterARotationAndNotWithForeignKeys() throws {
        let token = try token()
        _ = try NotMeLink(token, keys: .rotated, now: now)
        #expect(throws: NotMeLink.Rejection.forged) { try NotMeLink(token, keys: .foreign, now: now) }
    }

    @Test func everyChangedBitIsSeen() throws {
        let bytes = try #require(Base64URL.decode(try token()))
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: NotMeLink.Rejection.forged) { try NotMeLink(Base64URL.encode(changed), keys: .example, now: now) }
            }
        }
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 60), String(repeating: "ü", count: 30)])
    func garbageIsForged(_ text: String) {
        #expect(throws: NotMeLink.Rejection.forged) { try NotMeLink(text, keys: .example, now: now) }
    }

    @Test func aLinksCodeIsNoTokenAndTheOtherWayRound() throws {
        let oobCode = OOBCode.text(for: code, keys: .example)
        #expect(throws: NotMeLink.Rejection.forged) { try NotMeLink(oobCode, keys: .example, now: now) }
        let token = try token()
        #expect(throws: (any Error).self) { try OOBCode(token, projectID: "example", keys: .example, now: now) }
    }

    @Test func itsPageTokenIsItsOwn() throws {
        let link = try NotMeLink(try token(), keys: .example, now: now)
        let page = link.pageToken(keys: .example)
        #expect(link.isPageToken(page, keys: .example) && link.isPageToken(page, keys: .rotated))
        #expect(!link.isPageToken("", keys: .example) && !link.isPageToken(link.token, keys: .example))
        let other = NotMeLink.text(for: .example(8, project: "example", createdAt: now), project: try .example, keys: .example)
        let otherLink = try NotMeLink(String(other.suffix(60)), keys: .example, now: now)
        #expect(!otherLink.isPageToken(page, keys: .example))
    }
}
