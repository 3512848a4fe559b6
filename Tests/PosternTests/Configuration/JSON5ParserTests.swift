import FoundationEssentials
import Testing

@testable import postern

@Suite struct JSON5ParserTests {
    /// Texts with the value they stand for, as strict JSON with sorted keys.
    static let valid: [(String, String)] = [
        ("{}", "{}"), ("[]", "[]"), ("null", "null"), ("// c\n{ /* d */ a: 1, }\n// e", #"{"a":1}"#),
        ("{a: 'x', $b_1: \"y\", 'c d': true, \"e\": false, ünï: null}", #"{"$b_1":"y","a":"x","c d":true,"e":false,"ünï":null}"#),
        ("[1, -1, +1, .5, 5., 0x1F, -0xff, 1e3, 1E-2, 0, 1.25e+2]", "[1,-1,1,0.5,5,31,-255,1000,0.01,0,125]"),
        (#"["\b\f\n\r\t\v\0\x41\u00e9\ud83d\ude00\'\"\\\/\q"]"#, "[\"\\b\\f\\n\\r\\t\\u000b\\u0000A\u{E9}\u{1F600}'\\\"\\\\/q\"]"),
        ("['one \\\ntwo', 'three \\\r\nfour']", #"["one two","three four"]"#),
        ("{\\u0061b: 1, a\\u0062c: 2}", #"{"ab":1,"abc":2}"#),
        ("\u{FEFF}{\u{A0}a\u{2003}:\u{2028}1}", #"{"a":1}"#), ("[[[[1]]],{a:{b:[{}]}}]", #"[[[[1]]],{"a":{"b":[{}]}}]"#),
        ("{a: 'it is \"so\"', b: \"it's\"}", #"{"a":"it is \"so\"","b":"it's"}"#),
        ("{true: 1, null: 2, Infinity: 3}", #"{"Infinity":3,"null":2,"true":1}"#),
        ("[1,]", "[1]"), ("/**/1/***/", "1"), ("['//', '/*']", #"["//","/*"]"#),
    ]

    @Test(arguments: valid)
    func reads(_ text: String, _ expected: String) throws {
        #expect(Self.json(try JSON5Parser.parse(text)) == expected)
    }

    @Test func infinitiesAndNaN() throws {
        guard case .array(let values) = try JSON5Parser.parse("[Infinity, -Infinity, +Infinity, NaN, -NaN]").content else {
            Issue.record("not a list")
            return
        }
        let numbers = values.map { value in
            if case .number(let number) = value.content { number } else { 0.0 }
        }
        #expect(numbers[0...2] == [.infinity, -.infinity, .infinity])
        #expect(numbers[3].isNaN && numbers[4].isNaN)
    }

    /// Texts that are not JSON5, with line and column of what is wrong and what stands there.
    static let invalid: [(String, Int, Int, String)] = [
        ("", 1, 1, "the end of the file"), ("  // only a comment", 1, 20, "the end of the file"), ("{a: 1} x", 1, 8, "\"x\""),
        ("{a: 1\n b: 2}", 2, 2, "\"b\""), ("{a: 1,\r\n b 2}", 2, 4, "\"2\""), ("{a:\r\r1 1}", 3, 3, "\"1\""), ("{,}", 1, 2, "\",\""),
        ("[1,,2]", 1, 4, "\",\""), ("{a: }", 1, 5, "\"}\""), ("[1, 2", 1, 6, "the end of the file"), ("{a: [1}", 1, 7, "\"}\""),
        ("{a: tru}", 1, 5, "the word tru"), ("{a: \"x\n\"}", 1, 5, "a string that does not end on its line"),
        ("{a: 'x", 1, 5, "a string that does not end on its line"), ("{a: \"\\1\"}", 1, 6, "\\1"),
        ("{a: '\\x4'}", 1, 6, "an escape that names no character"),
        ("['\\ud83d']", 1, 3, "an escape that names no character"), ("['\\udc00']", 1, 3, "an escape that names no character"),
        ("[01]", 1, 2, "\"01\""), ("[1.2.3]", 1, 2, "\"1.2.3\""), ("[0x]", 1, 2, "\"0x\""), ("[1e]", 1, 2, "\"1e\""),
        ("[.]", 1, 2, "\".\""),
        ("[-]", 1, 2, "a sign alone"), ("[1e999]", 1, 2, "\"1e999\""), ("[1a]", 1, 2, "\"1a\""), ("[--1]", 1, 2, "a sign alone"),
        ("{é /* é */ ☃}", 1, 12, "U+2603"), ("/* x", 1, 1, "a comment that does not end"), ("/x", 1, 2, "\"x\""),
        ("{1a: 2}", 1, 2, "\"1\""), ("{a-b: 2}", 1, 3, "\"-\""), ("{a\u{0}: 1}", 1, 3, "U+0"), ("`a`", 1, 1, "\"`\""),
    ]

    @Test(arguments: invalid)
    func refuses(_ text: String, _ line: Int, _ column: Int, _ found: String) {
        let error = #expect(throws: JSON5SyntaxError.self) { try JSON5Parser.parse(text) }
        #expect(error?.position == TextPosition(line: line, column: column))
        #expect(error?.found == found)
    }

    @Test func depthIsLimited() throws {
        let depth = JSON5Parser.maximumDepth
        _ = try JSON5Parser.parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        #expect(throws: JSON5SyntaxError.self) { try JSON5Parser.parse(String(repeating: "[", count: 100_000)) }
        #expect(throws: JSON5SyntaxError.self) { try JSON5Parser.parse(String(repeating: "{a:", count: 100_000)) }
    }

    @Test func membersKeepOrderPlaceAndRepetition() throws {
        guard case .object(let members) = try JSON5Parser.parse("{z: 1,\n  a: 2, z: 3}").content else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.name) == ["z", "a", "z"])
        #expect(members.map(\.position) == [.init(line: 1, column: 2), .init(line: 2, column: 3), .init(line: 2, column: 9)])
        #expect(members[1].value.position == TextPosition(line: 2, column: 6))
    }

    /// FoundationEssentials reads the same texts; where it takes one it must be the same value.
    @Test(arguments: valid)
    func agreesWithFoundation(_ text: String, _ expected: String) throws {
        // It has no \v (spec.json5.org §5.1), no escapes in keys and no CR LF behind a backslash, and U+2003 and U+2028 are no white
        // space to it.
        if text.contains("\\v") || text.contains("{\\u") || text.contains("\\\r\n") || text.contains("\u{2003}") { return }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(Self.json(try decoder.decode(Plain.self, from: Data(text.utf8)).value) == expected)
    }

    // MARK: Comparing

    static func json(_ value: ConfigurationValue) -> String {
        switch value.content {
        case .object(let members):
            "{" + members.sorted { $0.name < $1.name }.map { quoted($0.name) + ":" + json($0.value) }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(json).joined(separator: ",") + "]"
        case .string(let text): quoted(text)
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let value): "\(value)"
        case .null: "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? String(decoding: encoder.encode(text), as: UTF8.self)) ?? ""
    }

    /// A value as FoundationEssentials decodes it.
    private struct Plain: Decodable {
        var value: ConfigurationValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let content: ConfigurationValue.Content
            if container.decodeNil() {
                content = .null
            } else if let boolean = try? container.decode(Bool.self) {
                content = .boolean(boolean)
            } else if let text = try? container.decode(String.self) {
                content = .string(text)
            } else if let number = try? container.decode(Double.self) {
                content = .number(number)
            } else if let elements = try? container.decode([Plain].self) {
                content = .array(elements.map(\.value))
            } else {
                let start = TextPosition(line: 0, column: 0)
                content = .object(
                    try container.decode([String: Plain].self).map { .init(name: $0.key, position: start, value: $0.value.value) })
            }
            value = ConfigurationValue(content: content, position: .init(line: 0, column: 0))
        }
    }
}
