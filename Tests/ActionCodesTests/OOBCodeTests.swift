import Crypto
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct OOBCodeTests {
    private static let now = UnixTime(seconds: 1_796_000_000)
    private static var code: ActionCode { .example(0x0102_0304_0506_0708, project: "example", createdAt: now) }

    private static func read(_ text: String, project: String = "example", keys: KeyRing = .example, now: UnixTime = now) -> Result<
        OOBCode, OOBCode.Rejection
    > {
        Result { () throws(OOBCode.Rejection) in try OOBCode(text, projectID: project, keys: keys, now: now) }
    }

    /// The layout of interface.md §4, put together from HMAC and HKDF: codes in the field must stay good for ever.
    @Test func layout() throws {
        let secret = [UInt8](repeating: 1, count: 32)
        let keyID = HMACSHA256.tag([], key: HKDFSHA256.derive(secret: secret, label: "postern/v1/key-id")).prefix(5)
        var expected: [UInt8] = [1] + keyID + [1]
        expected += [0x01, 0xA2, 0x2A, 0x28, 0x16, 0x80]  // 1 796 003 600 000, six bytes
        expected += [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(expected.count == 29)
        expected += HMACSHA256.tag(
            expected + Array("example".utf8), key: HKDFSHA256.derive(secret: secret, label: "postern/v1/action-code")
        ).prefix(16)
        let text = OOBCode.text(for: Self.code, keys: .example)
        #expect(Base64URL.decode(text) == expected)
        #expect(text == golden)
    }

    /// Made by another implementation of HKDF and HMAC (RFC 5869, RFC 2104), never to be changed: another value here means that links in people's mailboxes stop working.
    private let golden = "Ad89AlsHAQGiKigWgAAAAAAAAAAAAQIDBAUGBwhi5qtcNz4jGbyiBpIyM8ah"

    @Test func readsWhatItWrote() throws {
        for operation in ActionCodes.Operation.allCases {
            let code = ActionCode.example(7, project: "example", operation: operation, createdAt: Self.now)
            let read = try Self.read(OOBCode.text(for: code, keys: .example)).get()
            #expect(read.operation == operation && read.id == code.id && read.expiresAt == code.expiresAt)
        }
    }

    @Test func anyChangedCharacterIsAForgery() {
        let text = Array(OOBCode.text(for: Self.code, keys: .example))
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(Self.read(String(changed)) == .failure(.forged), "\(index)")
        }
    }

    @Test func anyOtherLengthIsAForgery() {
        let text = OOBCode.text(for: Self.code, keys: .example)
        for other in [
            "", "A", String(text.dropLast()), text + "A", text + "=", " " + text, text + "\0", String(repeating: "A", count: 100_000),
        ] {
            #expect(Self.read(other) == .failure(.forged))
        }
    }

    @Test func belongsToOneProject() {
        #expect(Self.read(OOBCode.text(for: Self.code, keys: .example), project: "other") == .failure(.forged))
    }

    @Test func survivesARotationAndNotALostSecret() {
        let text = OOBCode.text(for: Self.code, keys: .example)
        #expect((try? Self.read(text, keys: .rotated).get()) != nil)
        #expect(Self.read(text, keys: .foreign) == .failure(.forged))
        let newer = OOBCode.text(for: Self.code, keys: .rotated)
        #expect(newer != text)
        #expect(Self.read(newer, keys: .example) == .failure(.forged))
    }

    @Test func forgeryIsToldBeforeExpiry() {
        let text = OOBCode.text(for: Self.code, keys: .example)
        let late = Self.now + .seconds(3600)
        #expect(Self.read(text, now: Self.now + .seconds(3599)) != .failure(.expired(.signIn)))
        #expect(Self.read(text, now: late) == .failure(.expired(.signIn)))
        #expect(Self.read(text, keys: .foreign, now: late) == .failure(.forged))
    }
}
