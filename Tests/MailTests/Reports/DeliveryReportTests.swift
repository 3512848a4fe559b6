import FoundationEssentials
import Mail
import Testing

/// Every file of `Fixtures/reports` against `expected.json` there; null stands for a message that is no delivery report.
@Suite struct DeliveryReportTests {
    private struct Expected: Decodable {
        struct Recipient: Decodable, Equatable {
            var addresses: [String]
            var action: String
            var status: String?
            var isBadAddress: Bool
            var diagnostic: String
        }

        var token: String?
        var recipients: [Recipient]
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/reports")
    private static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.filter { $0.hasSuffix(".eml") }.sorted() ?? []

    private static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }

    @Test func everyFileIsExpected() throws {
        #expect(Self.names.count == 9)
    }

    @Test(arguments: names) func file(_ name: String) throws {
        let all = try JSONDecoder().decode(
            [String: Expected?].self, from: Data(contentsOf: Self.folder.appending(path: "expected.json")))
        let expected = try #require(all[String(name.dropLast(4))], "\(name) is not in expected.json")
        let report = DeliveryReport(try Self.bytes(name))
        #expect((report == nil) == (expected == nil))
        guard let report, let expected else { return }
        #expect(report.messageToken.map(Self.hex) == expected.token)
        let recipients = report.recipients.map { recipient in
            Expected.Recipient(
                addresses: recipient.addresses.map(\.text), action: recipient.action, status: recipient.status?.description,
                isBadAddress: recipient.isBadAddress, diagnostic: recipient.diagnostic)
        }
        #expect(recipients == expected.recipients)
    }

    /// A report that is cut off anywhere, or has a byte that does not belong there, is read as far as it goes.
    @Test(arguments: names) func nothingMakesItTrap(_ name: String) throws {
        let bytes = try Self.bytes(name)
        for end in bytes.indices { _ = DeliveryReport(Array(bytes[..<end])) }
        for index in stride(from: 0, to: bytes.count, by: 3) {
            for byte: UInt8 in [0, 0x0A, 0x20, 0x3A, 0xFF] {
                var changed = bytes
                changed[index] = byte
                _ = DeliveryReport(changed)
            }
        }
    }

    @Test func diagnosticsAreCutAndOneLine() throws {
        let text = """
            Content-Type: multipart/report; boundary=b

            --b
            Content-Type: message/delivery-status

            Final-Recipient: rfc822; anna@example.org
            Action: failed
            Diagnostic-Code: smtp; \(String(repeating: "x\u{202E}\u{2028}", count: 400))

            --b--
            """
        let recipient = try #require(DeliveryReport(Array(text.utf8))?.recipients.first)
        #expect(recipient.diagnostic.count == 300)
        #expect(recipient.diagnostic.unicodeScalars.allSatisfy { $0 == "x" || $0 == " " })
    }

    @Test(arguments: [
        ("5.1.1", true), ("5.1.2", true), ("5.1.3", true), ("5.1.6", true), ("5.1.10", true), ("5.2.1", true), ("4.1.1", false),
        ("2.1.1", false), ("5.1.0", false), ("5.1.7", false), ("5.1.8", false), ("5.2.2", false), ("5.2.3", false), ("5.0.0", false),
        ("5.7.1", false), ("5.7.26", false), ("5.7.515", false), ("5.3.4", false),
    ])
    func whichStatusCondemnsAnAddress(_ text: String, _ isBad: Bool) throws {
        let status = try #require(EnhancedStatus.leading(Array(text.utf8)[...])?.status)
        #expect(status.isBadAddress == isBad)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
