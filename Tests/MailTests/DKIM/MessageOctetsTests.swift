import Testing

@testable import Mail

@Suite struct MessageOctetsTests {
    @Test(arguments: [
        ("A: 1\r\nb: 2\r\n 3\r\n\r\nbody\r\n", ["a|A: 1", "b|b: 2\r\n 3"], "body\r\n"),
        ("A: 1\r\n\r\n", ["a|A: 1"], ""), ("A: 1\r\n", ["a|A: 1"], ""), ("A: 1", ["a|A: 1"], ""), ("", [], ""),
        ("\r\nbody", [], "body"), ("A : 1\r\nnot a field\r\nB:\r\n\r\n\r\n", ["a|A : 1", "b|B:"], "\r\n"),
        ("A: 1\r\n\t2\r\n", ["a|A: 1\r\n\t2"], ""), ("A: 1\r\n ", ["a|A: 1\r\n "], ""), ("A: 1\r", ["a|A: 1\r"], ""),
    ])
    func divides(_ message: String, _ fields: [String], _ body: String) {
        let octets = MessageOctets(Array(message.utf8))
        #expect(octets.fields.map { "\($0.name)|\(String(decoding: $0.octets, as: UTF8.self))" } == fields)
        #expect(String(decoding: octets.body, as: UTF8.self) == body)
    }
}
