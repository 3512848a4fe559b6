import Testing

@testable import SMTP

@Suite struct SMTPContentTests {
    static let stuffed: [(message: String, content: String)] = [
        ("", ".\r\n"),
        ("a\r\n", "a\r\n.\r\n"),
        ("a", "a\r\n.\r\n"),
        (".\r\n", "..\r\n.\r\n"),
        (".", "..\r\n.\r\n"),
        ("..\r\n", "...\r\n.\r\n"),
        ("a\r\n.\r\nb\r\n", "a\r\n..\r\nb\r\n.\r\n"),
        ("a.\r\n.b.\r\n\r\n..c\r\n", "a.\r\n..b.\r\n\r\n...c\r\n.\r\n"),
        ("\r\n.\r\n.\r\n.", "\r\n..\r\n..\r\n..\r\n.\r\n"),
        ("a\r\n.\r\nMAIL FROM:<x@example.com>\r\n", "a\r\n..\r\nMAIL FROM:<x@example.com>\r\n.\r\n"),
    ]

    @Test(arguments: stuffed) func stuffsDots(_ message: String, _ content: String) {
        #expect(SMTPContent.stuffed(Array(message.utf8)).map { String(decoding: $0, as: UTF8.self) } == content)
    }

    @Test(arguments: ["a\nb\r\n", "\n.\r\n", "a\rb\r\n", "a\r", "a\r\r\n", "a\n", "\n", "\r", "a\r\n.\n\r\n", "a\r\n.\r", "\r\n\r"])
    func refusesBareLineEnds(_ message: String) {
        #expect(SMTPContent.stuffed(Array(message.utf8)) == nil)
    }

    /// What a server does with the content gives the message back, and the closing dot stands nowhere but at the end.
    @Test func comesBackWhole() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let pieces = ["\r\n", ".", "a", "\r\n.", "..", "long text"]
            let count = Int.random(in: 0...20, using: &generator)
            let message = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\r\n"
            guard let content = SMTPContent.stuffed(Array(message.utf8)) else {
                Issue.record("refused")
                return
            }
            var lines = String(decoding: content, as: Unicode.ASCII.self).split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.popLast() == "")
            #expect(lines.popLast() == ".")
            #expect(!lines.contains("."))
            #expect(lines.map { ($0.hasPrefix(".") ? $0.dropFirst() : $0) + "\r\n" }.joined() == message)
        }
    }
}
