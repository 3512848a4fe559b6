import Testing

@testable import Templating

@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("lnik", "link"), ("ink", "link"), ("links", "link"), ("LINK", "link"), ("displayname", "displayName"),
            ("dispalyNam", "displayName"),
            ("lo", nil), ("user", nil), ("", nil), ("eMail", "email"), ("nwEmail", "newEmail"), ("lin", "lina"),
        ] as [(String, String?)])
    func suggestions(_ name: String, expected: String?) {
        #expect(nearestName(to: name, in: ["link", "lina", "displayName", "email", "newEmail"]) == expected)
    }

    @Test func aVeryLongNameIsNotCompared() {
        #expect(nearestName(to: String(repeating: "a", count: 100_000), in: ["link"]) == nil)
    }
}
