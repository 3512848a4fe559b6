import Crypto
import Mail
import Testing

@Suite struct DKIMRecordTests {
    /// The key of RFC 8463 §A.2.
    @Test func theRecordOfRFC8463() throws {
        let key = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let record = DKIMRecord(domain: "football.example.com", selector: "brisbane", algorithm: .ed25519SHA256, publicKey: key)
        #expect(record.name == "brisbane._domainkey.football.example.com")
        #expect(record.value == "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
        #expect(record.strings == [record.value])
        #expect(record.zoneLine == "brisbane._domainkey.football.example.com. IN TXT ( \"\(record.value)\" )")
    }

    @Test(arguments: [0, 160, 300, 600])
    func stringsHave255OctetsAtMost(_ count: Int) {
        let record = DKIMRecord(
            domain: "example.com", selector: "s1", algorithm: .rsaSHA256, publicKey: [UInt8](repeating: 7, count: count))
        #expect(record.strings.joined() == record.value)
        #expect(record.strings.allSatisfy { (1...255).contains($0.utf8.count) })
        #expect(record.strings.count == (record.value.utf8.count + 254) / 255)
        #expect(record.value.hasPrefix("v=DKIM1; k=rsa; p="))
    }
}
