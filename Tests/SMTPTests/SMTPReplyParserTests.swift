import Testing

@testable import SMTP

@Suite struct SMTPReplyParserTests {
    struct Good: Sendable {
        var input: String
        var codes: [Int]
        var texts: [String]
    }

    static let good: [Good] = [
        Good(input: "250 Ok\r\n", codes: [250], texts: ["Ok"]),
        Good(input: "250\r\n", codes: [250], texts: [""]),
        Good(input: "250 \r\n", codes: [250], texts: [""]),
        Good(input: "250 Ok\n", codes: [250], texts: ["Ok"]),
        Good(input: "250-first\r\n250-second\r\n250 third\r\n", codes: [250], texts: ["first\nsecond\nthird"]),
        Good(input: "250-\r\n250\r\n", codes: [250], texts: ["\n"]),
        Good(input: "250 a\r\n550 5.1.1 b\r\n354 c\r\n", codes: [250, 550, 354], texts: ["a", "5.1.1 b", "c"]),
        Good(input: "250 a\r\n250-b\r\n", codes: [250], texts: ["a"]),
        Good(input: "250 no end yet", codes: [], texts: []),
        Good(input: "", codes: [], texts: []),
        Good(input: "250 " + String(repeating: "x", count: 2044) + "\r\n", codes: [250], texts: [String(repeating: "x", count: 2044)]),
        Good(
            input: String(repeating: "250-x\r\n", count: 99) + "250 y\r\n", codes: [250],
            texts: [String(repeating: "x\n", count: 99) + "y"]),
    ]

    @Test(arguments: good) func cutsReplies(_ row: Good) throws {
        var parser = SMTPReplyParser()
        parser.append(row.input.utf8)
        var replies: [SMTPReply] = []
        while let reply = try parser.next() { replies.append(reply) }
        #expect(replies.map(\.code) == row.codes)
        #expect(replies.map { String(decoding: $0.text, as: UTF8.self) } == row.texts)
    }

    /// The network cuts anywhere.
    @Test(arguments: good) func cutsRepliesByteByByte(_ row: Good) throws {
        var parser = SMTPReplyParser()
        var codes: [Int] = []
        for byte in row.input.utf8 {
            parser.append([byte])
            while let reply = try parser.next() { codes.append(reply.code) }
        }
        #expect(codes == row.codes)
    }

    static let bad: [(input: String, error: SMTPReplyParser.Malformed)] = [
        ("hello\r\n", .noCode),
        ("\r\n", .noCode),
        ("25 Ok\r\n", .noCode),
        ("2500 Ok\r\n", .noCode),
        ("250:Ok\r\n", .noCode),
        ("150 Ok\r\n", .noCode),
        ("650 Ok\r\n", .noCode),
        ("270 Ok\r\n", .noCode),
        ("2x0 Ok\r\n", .noCode),
        ("HTTP/1.1 400 Bad Request\r\n", .noCode),
        ("250-a\r\n550 b\r\n", .codesDiffer),
        ("250-a\r\nb\r\n", .noCode),
        ("250 " + String(repeating: "x", count: 2045) + "\r\n", .lineTooLong),
        (String(repeating: "2", count: 2050), .lineTooLong),
        (String(repeating: "250-x\r\n", count: 100) + "250 y\r\n", .tooManyLines),
    ]

    @Test(arguments: bad) func refusesWhatIsNoReply(_ input: String, _ error: SMTPReplyParser.Malformed) {
        #expect(throws: error) {
            var parser = SMTPReplyParser()
            parser.append(input.utf8)
            while try parser.next() != nil {}
        }
    }

    @Test func knowsWhetherSomethingWaits() throws {
        var parser = SMTPReplyParser()
        #expect(parser.isEmpty)
        parser.append("250-a\r\n".utf8)
        #expect(try parser.next() == nil)
        #expect(!parser.isEmpty)
        parser.append("250 b\r\n2".utf8)
        #expect(try parser.next() != nil)
        #expect(!parser.isEmpty)
        parser.append("50 c\r\n".utf8)
        #expect(try parser.next() != nil)
        #expect(parser.isEmpty)
    }

    /// Replies that never end where a read ends must not make the buffer grow.
    @Test func forgetsWhatWasRead() throws {
        var parser = SMTPReplyParser()
        parser.append("2".utf8)
        for _ in 0..<10_000 {
            parser.append("50 Ok\r\n2".utf8)
            #expect(try parser.next()?.code == 250)
        }
        #expect(parser.storedByteCount < 2 * SMTPReplyParser.lineLimit)
    }
}
