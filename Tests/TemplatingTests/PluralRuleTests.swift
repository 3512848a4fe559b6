import Testing

@testable import Templating

@Suite struct PluralRuleTests {
    @Test(
        arguments: [
            ("i = 1", [1], [0, 2, 11]),
            ("i = 0,1", [0, 1], [2]),
            ("i = 0..1", [0, 1], [2]),
            ("i = 1 and v = 0", [1], [0, 2]),
            ("v = 0 and i % 10 = 2..4 and i % 100 != 12..14", [2, 3, 4, 22, 103, 1234], [0, 1, 5, 12, 13, 14, 112, 1013]),
            ("n mod 100 = 3..10", [3, 10, 103], [2, 11, 100, 102]),
            ("n % 100 = 11..99 @integer 11~26, 111, … @decimal 11.0", [11, 99, 111, 199], [10, 100, 102, 210]),
            ("v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9", [0, 5, 11, 21, 101], [1, 2, 24]),
            ("e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5", [1_000_000], [0, 1, 5]),
            ("v != 0", [], [0, 1, 2]),
        ] as [(String, [Int], [Int])])
    func rules(_ text: String, holding: [Int], not: [Int]) throws {
        let rule = try #require(PluralRule(text))
        for count in holding { #expect(rule.holds(for: count), "\(count)") }
        for count in not { #expect(!rule.holds(for: count), "\(count)") }
    }

    @Test(arguments: [
        "", "i", "i =", "i = x", "x = 1", "i = 1 and", "or i = 1", "i % 0 = 1", "i % = 1", "i = 2..1", "i = 1,", "i == 1", "i = -1",
        "i = 1..2..3",
    ])
    func noRules(_ text: String) {
        #expect(PluralRule(text) == nil)
    }
}
