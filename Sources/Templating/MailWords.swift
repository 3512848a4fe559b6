internal import FoundationEssentials
internal import Platform

/// How one language says how long something lives and when something was: a file of `words/`.
///
/// ```json5
/// {
///   plurals: { one: "i = 1" },                                          // the rules of Unicode CLDR; `other` needs none
///   minutes: { one: "{{count}} minute", other: "{{count}} minutes" },   // each with all forms that `plurals` names, and `other`
///   hours: { … }, days: { … },
///   months: ["January", …],                                             // what `{{month}}` is; its number when left out
///   moment: "{{day}} {{month}} {{year}}, {{hour}}:{{minute}} UTC",
/// }
/// ```
struct MailWords: Sendable {
    private let rules: [(form: String, rule: PluralRule)]
    private let minutes: [String: Template]
    private let hours: [String: Template]
    private let days: [String: Template]
    private let months: [String]
    private let moment: Template

    /// The largest unit that divides the duration, such as `6 hours`, `90 minutes` or `1 day`; at least a minute.
    func lifetime(_ duration: Duration) -> String {
        let minutes = max(1, Int(duration.wholeMilliseconds / 60_000))
        if minutes % 1440 == 0 { return words(minutes / 1440, days) }
        if minutes % 60 == 0 { return words(minutes / 60, hours) }
        return words(minutes, self.minutes)
    }

    private func words(_ count: Int, _ forms: [String: Template]) -> String {
        let form = rules.first { $0.rule.holds(for: count) }?.form ?? "other"
        return forms[form]?.render(["count": .text(String(count))]) ?? ""
    }

    /// A moment in UTC, to the minute.
    func moment(_ time: UnixTime) -> String {
        // RFC 3339, such as 2026-11-30T22:27:56.000Z: a year has four digits until 9999.
        let digits = Array(time.description)
        func number(_ range: Range<Int>) -> String { String(digits[range]) }
        func unpadded(_ range: Range<Int>) -> String { String(Int(number(range)) ?? 0) }
        let month = Int(number(5..<7)) ?? 0
        return moment.render([
            "year": .text(number(0..<4)), "month": .text(months.isEmpty ? String(month) : months[month - 1]),
            "day": .text(unpadded(8..<10)), "hour": .text(number(11..<13)), "minute": .text(number(14..<16)),
        ])
    }

    /// Reads a file's text; adds what is wrong with it to `problems` and `mistakes`, and then gives nil.
    init?(_ source: String, file: String, problems: inout [TemplateLibraryError.Problem], mistakes: inout [TemplateError]) {
        let before = (problems.count, mistakes.count)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let texts: Texts
        do {
            texts = try decoder.decode(Texts.self, from: Data(source.utf8))
        } catch {
            problems.append(.init(path: file, reason: Self.reason(error)))
            return nil
        }

        var rules: [(form: String, rule: PluralRule)] = []
        // In the order of CLDR; no number has two forms, so that it decides nothing but who is asked first.
        for (form, text) in texts.plurals.sorted(by: { $0.key < $1.key }) {
            if !Self.forms.contains(form) {
                problems.append(.init(path: file, reason: "plurals: '\(form)' is not one of \(Self.forms.joined(separator: ", "))"))
            } else if let rule = PluralRule(text) {
                rules.append((form, rule))
            } else {
                problems.append(.init(path: file, reason: "plurals.\(form): '\(text)' is not a plural rule of CLDR"))
            }
        }
        var errors: [TemplateError] = []
        func template(_ text: String, _ name: String, _ variables: Set<String>) -> Template? {
            var parser = TemplateParser(text, kind: .text, file: "\(file) (\(name))", variables: variables)
            parser.parse()
            errors += parser.errors
            return parser.errors.isEmpty ? Template(parser) : nil
        }
        let needed = Set(texts.plurals.keys).union(["other"])
        var units: [[String: Template]] = []
        for (unit, forms) in [("minutes", texts.minutes), ("hours", texts.hours), ("days", texts.days)] {
            for form in needed.subtracting(forms.keys).sorted() {
                problems.append(.init(path: file, reason: "\(unit): the form '\(form)' is missing"))
            }
            for form in Set(forms.keys).subtracting(needed).sorted() {
                problems.append(.init(path: file, reason: "\(unit): '\(form)' has no rule in plurals"))
            }
            var templates: [String: Template] = [:]
            for (form, text) in forms.sorted(by: { $0.key < $1.key }) { templates[form] = template(text, "\(unit).\(form)", ["count"]) }
            units.append(templates)
        }
        if let months = texts.months, months.count != 12 {
            problems.append(.init(path: file, reason: "months: \(months.count) of 12"))
        }
        let moment = template(texts.moment, "moment", ["year", "month", "day", "hour", "minute"])
        mistakes += errors
        guard (problems.count, mistakes.count) == before, let moment else { return nil }
        self.rules = rules
        minutes = units[0]
        hours = units[1]
        days = units[2]
        months = texts.months ?? []
        self.moment = moment
    }

    private static let forms = ["zero", "one", "two", "few", "many"]

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _)?: "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): expected texts by name, or for months a list of texts"
        default: "not a JSON object"
        }
    }

    private struct Texts: Decodable {
        var plurals: [String: String]
        var minutes: [String: String]
        var hours: [String: String]
        var days: [String: String]
        var months: [String]?
        var moment: String
    }
}
