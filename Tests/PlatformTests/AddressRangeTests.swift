import Platform
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.1.2.3", 8, "10.255.255.255", true), ("10.1.2.3", 8, "11.0.0.0", false), ("10.1.2.3", 32, "10.1.2.3", true),
        ("10.1.2.3", 32, "10.1.2.2", false), ("10.1.2.3", 0, "255.0.0.1", true), ("10.1.2.3", 0, "::1", false),
        ("fd00::1", 8, "fdff::", true), ("fd00::1", 8, "fe00::", false), ("fd00::1", 128, "fd00::1", true), ("fd00::1", 0, "::", true),
    ])
    func contains(_ address: String, _ length: Int, _ other: String, _ expected: Bool) throws {
        let range = AddressRange(around: try #require(IPAddress(address)), prefixLength: length)
        #expect(range.contains(other) == expected)
        #expect(range.contains(address))
        #expect(!range.contains("nonsense"))
    }
}
