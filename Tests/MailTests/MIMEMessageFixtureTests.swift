import FoundationEssentials
import Platform
import Testing

@testable import Mail

/// Reads `Fixtures/messages/*.json`; beside each stands the message that must come of it as `.eml`, to the octet.
///
/// With `POSTERN_RECORD_MESSAGES` set the `.eml` files are written anew, and the run fails.
@Suite struct MIMEMessageFixtureTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/messages")

    struct Input: Decodable {
        var from: String
        var replyTo: String?
        var to: String
        var subject: String
        var text: [String]
        var html: [String]
        var seconds: Int64
        var language: String
        var feedbackID: String?
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted().map {
            String($0.dropLast(5))
        }
    }

    @Test func everyMessageHasItsInput() throws {
        let golden = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".eml") }
        #expect(Set(golden.map { String($0.dropLast(4)) }) == Set(try Self.names()))
        #expect(golden.count >= 5)
    }

    @Test(arguments: try MIMEMessageFixtureTests.names())
    func message(_ name: String) throws {
        let input = try JSONDecoder().decode(Input.self, from: Data(contentsOf: Self.folder.appending(path: name + ".json")))
        let message = MIMEMessage(
            from: try Mailbox(input.from), replyTo: try input.replyTo.map { try Mailbox($0) }, to: try EmailAddress(input.to),
            subject: input.subject,
            text: input.text.map { $0 + "\n" }.joined(), html: input.html.map { $0 + "\n" }.joined(),
            date: UnixTime(seconds: input.seconds),
            messageID: MessageID(entryID: 7, token: Array(0xA0...0xAB), domain: try Mailbox(input.from).address.domain),
            contentLanguage: input.language, feedbackID: input.feedbackID)
        let bytes = message.bytes(boundaryToken: Array(0xA0...0xAB))
        let file = Self.folder.appending(path: name + ".eml")
        if ProcessInfo.processInfo.environment["POSTERN_RECORD_MESSAGES"] != nil {
            try Data(bytes).write(to: file)
            Issue.record("\(name).eml was recorded; look at it, and run again without POSTERN_RECORD_MESSAGES")
        }
        let golden = Array(try Data(contentsOf: file))
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
        #expect(bytes == golden)
        // The golden message is one by a reader that shares nothing with what wrote it.
        let read = try StrictMessage(golden, allowUTF8: !(try EmailAddress(input.to).isASCII))
        #expect(try read.only("To") == EmailAddress(input.to).text)
    }
}
