import Testing

@testable import Routes

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("{}", JSONValue.object([:])), (" [ ] ", .array([])), ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
        (#"{"a":1 , "b":["x",null]}"#, .object(["a": .number("1"), "b": .array([.string("x"), .null])])),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{08}\u{0C}\n\r\t")), (#""\u00e9 \uD83d\ude00 \u0000""#, .string("é 😀 \0")),
        ("\"é\u{7F}\"", .string("é\u{7F}")), (#"{"a":1,"a":2}"#, .object(["a": .number("2")])), ("\u{FEFF}{}", .object([:])),
    ])
    func reads(text: String, value: JSONValue) {
        #expect(JSONReader.document(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-12", "-12"), ("1.0", "1"), ("1e3", "1000"), ("1.5", "1.5"),
        ("9223372036854775807", "9223372036854775807"),
        ("1E-2", "0.01"),
    ])
    func writesNumbersOneWay(text: String, number: String) {
        #expect(JSONReader.document(Array(text.utf8)) == .number(number))
    }

    @Test(arguments: [
        "", " ", "{", "[", "{\"a\"", "{\"a\":", "{\"a\":1,}", "[1,]", "[1 2]", "{1:2}", "{} x", "nul", "tru", "01", "-", "+1", ".5", "1.",
        "1e",
        "1e400", "'a'", "\"a", "\"\u{01}\"", "\"\\x\"", "\"\\u12\"", "\"\\uD800\"", "\"\\uD800\\u0041\"", "\"\\uDE00\"", "{\"a\":1}{}",
    ])
    func refuses(text: String) {
        #expect(JSONReader.document(Array(text.utf8)) == nil)
    }

    @Test(arguments: [[UInt8]("\"".utf8) + [0xFF] + [UInt8]("\"".utf8), [UInt8]("\"\\n".utf8) + [0xC3] + [UInt8]("\"".utf8)])
    func refusesWhatIsNoUTF8(bytes: [UInt8]) {
        #expect(JSONReader.document(bytes) == nil)
    }

    @Test func refusesWhatIsTooDeep() {
        func nested(_ depth: Int) -> [UInt8] { Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
        #expect(JSONReader.document(nested(JSONReader.depthLimit)) != nil)
        #expect(JSONReader.document(nested(JSONReader.depthLimit + 1)) == nil)
        #expect(JSONReader.document([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) == nil)
    }

    /// Bodies of a few kilobytes once held a thread for seconds: each value was tried as every type, and each failure copied its path.
    @Test(arguments: [
        "{\"a\":" + String(repeating: "[", count: 500) + String(repeating: "{},", count: 2000) + "{}" + String(repeating: "]", count: 500)
            + "}",
        String(repeating: "{\"a\":", count: 510) + "1" + String(repeating: "}", count: 510),
        "{\"a\":[" + String(repeating: "{},", count: 100_000) + "{}]}",
    ]) func costsNoMoreThanItsLength(text: String) {
        let start = ContinuousClock.now
        _ = JSONReader.document(Array(text.utf8))
        // Milliseconds when built for release; the limit leaves room for a debug build on a busy machine.
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
