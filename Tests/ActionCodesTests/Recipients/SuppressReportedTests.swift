import Crypto
import Mail
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct SuppressReportedTests {
    private let cases: UseCases

    init() throws { cases = try UseCases() }

    private func token(_ email: String, project: String = "example", keys: KeyRing? = nil) throws -> [UInt8] {
        MessageToken.bytes(
            nonce: [UInt8](1...12), projectID: project, recipient: try EmailAddress(email), keys: keys ?? cases.keys)
    }

    private func report(_ token: [UInt8]?, to email: String, action: String = "failed", status: String = "5.1.1") throws -> DeliveryReport {
        let id = token.map { MessageID(entryID: 1, token: $0, domain: "example.com").text }
        let text = """
            Content-Type: multipart/report; report-type=delivery-status; boundary=b

            --b
            Content-Type: message/delivery-status

            Reporting-MTA: dns; mx.example.net

            Final-Recipient: rfc822; \(email)
            Action: \(action)
            Status: \(status)
            Diagnostic-Code: smtp; 550 \(status) no such user

            --b
            Content-Type: text/rfc822-headers

            \(id.map { "Message-ID: \($0)" } ?? "Subject: none")

            --b--
            """
        return try #require(DeliveryReport(Array(text.utf8)))
    }

    private func outcome(_ report: DeliveryReport, keys: KeyRing? = nil) async throws -> SuppressReported.Outcome {
        try await SuppressReported(
            store: cases.store, keys: keys ?? cases.keys, clock: cases.clock.wallClock, projects: [try .example])(report)
    }

    private func suppressed() async throws -> [String] {
        let now = cases.clock.now
        return try await cases.store.read { reader throws(StoreError) in
            try reader.suppressions(project: "example", after: nil, limit: 9, now: now).map { "\($0.email.text) \($0.cause) \($0.detail)" }
        }
    }

    @Test func aGenuineReportSuppresses() async throws {
        #expect(try await outcome(try report(try token("anna@example.com"), to: "Anna@Example.com")) == .suppressed(1))
        #expect(try await suppressed() == ["anna@example.com reported 550 5.1.1 no such user"])
    }

    @Test func soItDoesAfterARotation() async throws {
        #expect(try await outcome(try report(try token("anna@example.com"), to: "anna@example.com"), keys: .rotated) == .suppressed(1))
    }

    /// The mail as it really goes out carries the token that a report brings back.
    @Test func theTokenInAMailIsTheOneThatIsChecked() async throws {
        _ = try await cases.send(UseCases.request("anna@example.com"), project: try .example)
        let entry = try #require(try await cases.claim().first)
        #expect(entry.messageToken.count == 20)
        #expect(try await outcome(try report(entry.messageToken, to: "anna@example.com")) == .suppressed(1))
    }

    @Test(arguments: [
        ("failed", "5.2.2"), ("failed", "5.7.1"), ("failed", "5.7.26"), ("failed", "5.7.515"), ("failed", "4.1.1"), ("failed", "5.0.0"),
        ("delayed", "4.4.1"), ("delayed", "5.1.1"), ("delivered", "2.0.0"), ("relayed", "2.0.0"), ("expanded", "2.0.0"),
    ])
    func whatSaysNothingForGoodChangesNothing(_ action: String, _ status: String) async throws {
        let report = try report(try token("anna@example.com"), to: "anna@example.com", action: action, status: status)
        #expect(try await outcome(report) == .notForGood)
        #expect(try await suppressed().isEmpty)
    }

    /// Nobody can have an address suppressed without a mail to it.
    @Test func forgedReportsAreForeign() async throws {
        let genuine = try token("anna@example.com")
        var changed = genuine
        changed[19] ^= 1
        let forged: [([UInt8]?, String)] = [
            (nil, "anna@example.com"), (changed, "anna@example.com"), (genuine, "bob@example.com"),
            (Array(genuine.dropLast()), "anna@example.com"),
            (Array(genuine.prefix(12)), "anna@example.com"), (try token("anna@example.com", project: "other"), "anna@example.com"),
            (try token("anna@example.com", keys: .foreign), "anna@example.com"),
        ]
        for (token, email) in forged { #expect(try await outcome(try report(token, to: email)) == .foreign) }
        #expect(try await suppressed().isEmpty)
    }

    @Test func theComposerDropsWhatIsSuppressedAndAReleaseEndsThat() async throws {
        _ = try await outcome(try report(try token("anna@example.com"), to: "anna@example.com"))
        _ = try await cases.send(UseCases.request("anna@example.com"), project: try .example)
        let entry = try #require(try await cases.claim().first)
        guard case .drop("the address bounced before: 550 5.1.1 no such user") = try await cases.composer().compose([entry]).first else {
            Issue.record("a suppressed address gets mail")
            return
        }
        let suppressions = Suppressions(store: cases.store, clock: cases.clock.wallClock)
        #expect(try await suppressions.release(" ANNA@example.com", project: try .example))
        #expect(try await !suppressions.release("anna@example.com", project: try .example))
        #expect(await refusal { try await suppressions.release("anna", project: try .example) } == .invalidEmail)
        guard case .message = try await cases.composer().compose([entry]).first else {
            Issue.record("a released address gets no mail")
            return
        }
    }

    @Test func theListIsReadInPages() async throws {
        for name in ["c", "a", "b"] { _ = try await outcome(try report(try token("\(name)@example.com"), to: "\(name)@example.com")) }
        let suppressions = Suppressions(store: cases.store, clock: cases.clock.wallClock)
        var page = try await suppressions(project: try .example, size: 2, pageToken: nil)
        #expect(page.suppressions.map(\.email) == [.example("a"), .example("b")] && page.nextPageToken == "b@example.com")
        page = try await suppressions(project: try .example, size: 2, pageToken: page.nextPageToken)
        #expect(page.suppressions.map(\.email) == [.example("c")] && page.nextPageToken == nil)
        #expect(try await suppressions(project: try .example, size: 0, pageToken: nil).suppressions.count == 1)
    }
}
