/// When a plural form is used, as Unicode CLDR writes it, such as `i % 10 = 2..4 and i % 100 != 12..14`; for whole numbers.
///
/// Operands other than `n` and `i` are about decimals and are 0 here. Source: UTS 35 part 3, "Language Plural Rules"; samples behind `@` are
/// passed over.
struct PluralRule: Sendable {
    private struct Relation {
        var isOfNumber: Bool
        var modulus: Int?
        var isNegated: Bool
        var ranges: [ClosedRange<Int>]

        func holds(for count: Int) -> Bool {
            let number = isOfNumber ? count : 0
            let value = modulus.map { number % $0 } ?? number
            return ranges.contains { $0.contains(value) } != isNegated
        }
    }

    /// Any of these, in which all must hold.
    private let alternatives: [[Relation]]

    /// Nil when the text is not such a rule.
    init?(_ text: String) {
        var alternatives: [[Relation]] = []
        let rule = text.prefix { $0 != "@" }
        for alternative in Self.split(rule, at: "or") {
            var relations: [Relation] = []
            for relation in Self.split(alternative, at: "and") {
                guard let relation = Self.relation(relation) else { return nil }
                relations.append(relation)
            }
            alternatives.append(relations)
        }
        self.alternatives = alternatives
    }

    /// `count` is not negative.
    func holds(for count: Int) -> Bool {
        alternatives.contains { $0.allSatisfy { $0.holds(for: count) } }
    }

    private static func split(_ text: Substring, at word: Substring) -> [Substring] {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        return words.split(separator: word, omittingEmptySubsequences: false).map { Substring($0.joined(separator: " ")) }
    }

    private static func relation(_ text: Substring) -> Relation? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        var left = text[..<equals]
        let isNegated = left.last == "!"
        if isNegated { left.removeLast() }
        let expression = left.replacing("mod", with: "%").split(separator: "%", omittingEmptySubsequences: false).map(trimmed)
        guard expression.count <= 2, let operand = expression.first, operand.count == 1, "nivwftce".contains(operand) else { return nil }
        var modulus: Int?
        if expression.count == 2 {
            guard let value = number(expression[1]), value > 0 else { return nil }
            modulus = value
        }
        var ranges: [ClosedRange<Int>] = []
        for part in text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map { number(trimmed($0)) }
            guard let first = ends.first, let start = first, let last = ends.last, let end = last, start <= end else { return nil }
            ranges.append(start...end)
        }
        return Relation(isOfNumber: operand == "n" || operand == "i", modulus: modulus, isNegated: isNegated, ranges: ranges)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
