import Testing

@testable import Routes

@Suite struct CaughtMailTests {
    @Test(
        arguments: [
            ("no link", nil), ("https://example.com/other", nil), ("ftp://x/?oobCode=1", nil), ("oobCode=1", nil),
            ("see https://a.example/?oobCode=x-_ now", "https://a.example/?oobCode=x-_"),
            ("<http://localhost:9099/__/auth/action?x=1>", "http://localhost:9099/__/auth/action?x=1"),
            ("(https://a.example/__/auth/links?link=b).", "https://a.example/__/auth/links?link=b"),
            ("https://a.example/help\nhttps://b.example/?oobCode=1\nhttps://c.example/?oobCode=2", "https://b.example/?oobCode=1"),
            ("httphttps://b.example/?oobCode=1", "https://b.example/?oobCode=1"), ("http", nil), ("https://", nil),
        ] as [(String, String?)])
    func findsTheLink(text: String, link: String?) {
        #expect(CaughtMail.actionLink(in: text) == link)
    }

    @Test func holdsWhatTheMessageSays() throws {
        let mail = CaughtMail(
            id: "7", project: "demo", envelope: try Samples.envelope(), receivedAt: Samples.time, bytes: Samples.alternative)
        #expect(mail.subject == "Anmelden bei Schöne Grüße, einer App mit einem ziemlich langen Namen – heute noch")
        #expect(mail.header("FROM") == "Jürgen Ünal <noreply@example.com>")
        #expect(mail.header("Cc") == nil)
        #expect(mail.link == "https://x.example/__/auth/action?apiKey=k&oobCode=AbC-_1")
        #expect(mail.bytes == Samples.alternative)
    }
}
