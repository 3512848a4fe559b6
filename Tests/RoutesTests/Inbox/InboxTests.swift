import Testing

@testable import Routes

@Suite struct InboxTests {
    @discardableResult
    private func add(_ body: String, to inbox: Inbox) throws -> CaughtMail {
        inbox.add(project: "demo", envelope: try Samples.envelope(), receivedAt: Samples.time, bytes: Samples.message("\n\(body)"))
    }

    @Test func keepsTheNewestInOrder() throws {
        let inbox = Inbox(capacity: 3)
        #expect(inbox.all.isEmpty)
        for number in 1...8 {
            #expect(try add("\(number)", to: inbox).id == "\(number)")
            let kept = (max(1, number - 2)...number).map(String.init)
            #expect(inbox.all.map(\.id) == kept)
            #expect(inbox.all.map(\.text) == kept)
            #expect(inbox.count == kept.count)
            for id in 0...9 { #expect(inbox.mail(id: "\(id)")?.text == (kept.contains("\(id)") ? "\(id)" : nil)) }
        }
    }

    @Test func idsAreNotUsedAgain() throws {
        let inbox = Inbox(capacity: 3)
        for number in 1...5 { try add("\(number)", to: inbox) }
        inbox.removeAll()
        #expect(inbox.count == 0)
        #expect(inbox.mail(id: "5") == nil)
        for number in 6...10 { try add("\(number)", to: inbox) }
        #expect(inbox.all.map(\.id) == ["8", "9", "10"])
        #expect(inbox.mail(id: "9")?.text == "9")
    }

    @Test(arguments: ["", "+1", "01", "-1", "1 ", "x", "99999999999999999999", "١"])
    func onlyItsOwnIDs(id: String) throws {
        let inbox = Inbox()
        try add("1", to: inbox)
        #expect(inbox.mail(id: id) == nil)
    }

    @Test func holdsAThousand() throws {
        let inbox = Inbox()
        for number in 1...1001 { try add("\(number)", to: inbox) }
        #expect(inbox.count == 1000)
        #expect(inbox.all.first?.id == "2")
    }

    @Test func everyChangeHasAnotherVersion() throws {
        let inbox = Inbox(capacity: 1)
        var versions = [inbox.snapshot().version]
        try add("1", to: inbox)
        versions.append(inbox.snapshot().version)
        try add("2", to: inbox)
        versions.append(inbox.snapshot().version)
        inbox.removeAll()
        versions.append(inbox.snapshot().version)
        #expect(Set(versions).count == 4)
        #expect(inbox.snapshot().version == versions.last)
    }
}
