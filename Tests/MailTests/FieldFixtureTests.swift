import FoundationEssentials
import Testing

@testable import Mail

/// Addresses and header fields as files: `Fixtures/addresses.json` and `Fixtures/fields.json`.
@Suite struct FieldFixtureTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    struct AddressCase: Decodable, Sendable {
        var given: String
        var address: String?
        var error: String?
    }

    struct FieldCase: Decodable, Sendable {
        var field: String
        var given: String
        var lines: [String]
    }

    static func cases<Case: Decodable>(_ file: String) throws -> [Case] {
        try JSONDecoder().decode([Case].self, from: Data(contentsOf: folder.appending(path: file)))
    }

    @Test(arguments: try FieldFixtureTests.cases("addresses.json") as [AddressCase])
    func address(_ example: AddressCase) throws {
        try #require((example.address == nil) != (example.error == nil))
        do throws(EmailAddressError) {
            let address = try EmailAddress(example.given)
            #expect(example.address.map { Array($0.utf8) } == Array(address.text.utf8))
        } catch {
            #expect(error.rawValue == example.error)
        }
    }

    @Test(arguments: try FieldFixtureTests.cases("fields.json") as [FieldCase])
    func field(_ example: FieldCase) throws {
        var out: [UInt8] = Array("\(example.field): ".utf8)
        let column = out.count
        switch example.field {
        case "Subject":
            let cleaned = HeaderText.cleaned(example.given, limit: MIMEMessage.longestText)
            HeaderText.appendUnstructured(cleaned, to: &out, column: column)
        case "From":
            Mailbox(name: example.given, address: try EmailAddress("noreply@example.com")).appendHeaderValue(to: &out, column: column)
        default: Issue.record("no such field: \(example.field)")
        }
        #expect(String(decoding: out, as: UTF8.self) == example.lines.joined(separator: "\r\n"))
    }
}
