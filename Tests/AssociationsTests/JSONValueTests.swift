import Testing

@testable import Associations

@Suite struct JSONValueTests {
    @Test func `Members keep their order and nothing is added`() {
        let value = JSONValue.object([
            ("z", .array([.bool(true), .bool(false), .string("a/b")])), ("a", .object([])), ("m", .array([])),
        ])
        #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"z":[true,false,"a/b"],"a":{},"m":[]}"#)
    }

    @Test(arguments: [
        (#"""#, #""\"""#), (#"\"#, #""\\""#), ("\n\u{0}\u{1F}", #""\n\u0000\u001f""#), ("é日😀", #""é日😀""#),
        ("</script>", #""</script>""#),
    ])
    func strings(_ text: String, _ expected: String) throws {
        let bytes = JSONValue.object([("k", .string(text))]).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"k":\#(expected)}"#)
        #expect(try JSON.parse(bytes) == .object(["k": .string(text)]))
    }
}
