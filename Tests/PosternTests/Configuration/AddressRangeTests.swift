import Platform
import Testing

@testable import postern

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("10.0.0.0/8", "::ffff:a01:203", true), ("10.0.0.0/8", "::10.1.2.3", false), ("127.0.0.1", "127.0.0.1", true),
        ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false),
        ("::/0", "ffff::", true), ("192.0.2.0/31", "192.0.2.1", true), ("192.0.2.0/31", "192.0.2.2", false),
        ("fd00::/8", "fdff:1::2", true),
        ("fd00::/8", "fe00::", false), ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
        ("::1", "0:0:0:0:0:0:0:1", true), ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("10.0.0.0/8", "", false),
        ("10.0.0.0/8", "10.1.2", false),
        ("10.0.0.0/8", "unknown", false), ("10.0.0.0/8", "10.1.2.3:80", false), ("::1/128", "::1", true),
    ])
    func contains(_ range: String, _ address: String, _ expected: Bool) throws {
        #expect(try AddressRange(configured: range).contains(address) == expected)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08x", "10.0.0.0/1000", "256.0.0.0", "1.2.3", "1.2.3.4.5", "01.2.3.4",
        "0x7f.0.0.1", "::1::",
        ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2:3:4:5:6:7:8", "12345::", "+1::", "g::", "::1.2.3", "1.2.3.4::", ":1", "1:",
        "[::1]", "::/129",
        "10.0.0.1/31",
    ])
    func refuses(_ text: String) {
        #expect(throws: ConfigurationFault.self) { try AddressRange(configured: text) }
    }

    @Test(arguments: [
        ("::", "0:0:0:0:0:0:0:0"), ("1::", "1:0:0:0:0:0:0:0"), ("::ABCD", "0:0:0:0:0:0:0:abcd"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("64:ff9b::192.0.2.33", "64:ff9b:0:0:0:0:c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("::ffff:1.2.3.4", "1.2.3.4"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("255.255.255.255", "255.255.255.255"),
    ])
    func addressesHaveOneForm(_ text: String, _ expected: String) {
        #expect(IPAddress(text)?.description == expected)
    }
}
