import Testing

@testable import Accounts

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("+15550100", "+15550100"), ("+1 650-555-3434", "+16505553434"), ("+44 (20) 7946.0958", "+442079460958"), ("+1", "+1"),
        ("+123456789012345", "+123456789012345"), ("+1234567890123456", nil), ("+", nil), ("+0123", nil), ("15550100", nil), ("", nil),
        (" +1555", nil), ("+1555x", nil), ("+1+555", nil), ("+١٢٣", nil), ("+" + String(repeating: "-", count: 100) + "1", nil),
    ])
    func normalized(text: String, expected: String?) {
        #expect(PhoneNumber.normalized(text) == expected)
    }
}
