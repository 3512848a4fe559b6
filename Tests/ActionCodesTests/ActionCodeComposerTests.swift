import Accounts
import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct ActionCodeComposerTests {
    private let cases: UseCases

    init() throws { cases = try UseCases() }

    private func accepted(_ email: String = "anna@example.com", project: Project? = nil) async throws -> OutboxEntry {
        _ = try await cases.send(UseCases.request(email), project: try project ?? .example)
        return try #require(try await cases.claim().first)
    }

    private func reason(_ composition: Composition?) -> String? {
        if case .drop(let reason) = composition { return reason }
        return nil
    }

    private func text(_ composition: Composition?) throws -> String {
        guard case .message(let message) = composition else { throw Missing.message }
        // Soft line breaks and escapes of quoted-printable (RFC 2045 §6.7).
        return String(decoding: message.bytes, as: UTF8.self).replacing("=\r\n", with: "").replacing("=3D", with: "=")
    }

    private enum Missing: Error { case message }

    @Test func theLinkInTheMailIsTheLinkOfTheCode() async throws {
        let entry = try await accepted()
        let code = try #require(try await cases.liveCodes().first)
        let link = ActionLink.text(for: code, project: try .example, keys: cases.keys)
        let compositions = try await cases.composer().compose([entry])
        #expect(try text(compositions.first).contains(link))
        // As often as it is sent: the same bytes, so the same Message-ID and code.
        #expect(try text(try await cases.composer().compose([entry]).first) == text(compositions.first))
        let answer = try await cases.complete("anna@example.com", OOBCode.text(for: code, keys: cases.keys))
        #expect(answer.isNewUser)
    }

    @Test func theMailHasItsAddressesAndLanguage() async throws {
        let entry = try await accepted()
        guard case .message(let message) = try await cases.composer().compose([entry]).first else { throw Missing.message }
        #expect(
            message.envelope == Envelope(sender: try EmailAddress("noreply@example.com"), recipient: try EmailAddress("anna@example.com")))
        #expect(message.entryID == entry.id && message.projectID == "example")
        let text = String(decoding: message.bytes, as: UTF8.self)
        #expect(text.contains("\r\nTo: anna@example.com\r\n") && text.contains("\r\nContent-Language: en\r\n"))
        #expect(text.contains("6 hours"))
    }

    /// The signer of this test makes a signature that can be seen: the number of octets that it was given.
    private func signer(_ failure: DKIMIdentity.SigningFailure? = nil) -> DKIMSigner {
        let identity = DKIMIdentity(domain: "example.com", selector: "s1", algorithm: .rsaSHA256) {
            octets throws(DKIMIdentity.SigningFailure) in
            if let failure { throw failure }
            return Array("\(octets.count)".utf8)
        }
        return DKIMSigner([identity], sha256: { _ in [] })
    }

    @Test func theProjectsKeySignsTheMail() async throws {
        let entry = try await accepted()
        let unsigned = try text(try await cases.composer().compose([entry]).first)
        let other = try await cases.composer(signer: { [signer = signer()] in $0 == "other" ? signer : nil }).compose([entry])
        #expect(try text(other.first) == unsigned)
        let signer = signer()
        let composer = cases.composer(signer: { $0 == "example" ? signer : nil })
        let signed = try text(try await composer.compose([entry]).first)
        #expect(signed.hasPrefix("DKIM-Signature: v=1; a=rsa-sha256;") && signed.hasSuffix("\r\n" + unsigned))
        #expect(signed.contains("t=\(cases.clock.now.seconds);"))
        // A retry is the same message with a signature of its own time.
        cases.clock.advance(by: .seconds(90))
        let again = try text(try await composer.compose([entry]).first)
        #expect(again.hasSuffix("\r\n" + unsigned) && again.contains("t=\(cases.clock.now.seconds);") && again != signed)
    }

    @Test func aMailThatCannotBeSignedIsNotLost() async throws {
        let entry = try await accepted()
        let signer = signer(DKIMIdentity.SigningFailure(cause: "no memory"))
        await #expect(throws: StoreError.unavailable(cause: "a mail cannot be signed: dkim-signing-failed: no memory")) {
            try await cases.composer(signer: { _ in signer }).compose([entry])
        }
    }

    @Test func dropsWhatNobodyNeedsAnyMore() async throws {
        var entry = try await accepted()
        let code = try #require(try await cases.liveCodes().first)
        #expect(reason(try await cases.composer(project: { _ in nil }).compose([entry]).first) == "the project is not configured any more")
        var closed = try Project.example
        closed.accounts.allowSignUp = false
        let project = closed
        #expect(reason(try await cases.composer(project: { _ in project }).compose([entry]).first) == "no account, and sign-up is off")
        try await cases.add(.example("anna", project: "example", createdAt: cases.clock.now))
        #expect(reason(try await cases.composer(project: { _ in project }).compose([entry]).first) == nil)

        _ = try await cases.complete("anna@example.com", OOBCode.text(for: code, keys: cases.keys))
        #expect(reason(try await cases.composer().compose([entry]).first) == "the code was used or voided before the mail went out")
        entry.codeID = [UInt8](repeating: 1, count: 16)
        #expect(reason(try await cases.composer().compose([entry]).first) == "the code is gone")
        entry.codeID = [1]
        #expect(reason(try await cases.composer().compose([entry]).first) == "the code is gone")
    }

    @Test func dropsWhatHasExpired() async throws {
        let entry = try await accepted()
        cases.clock.advance(by: .seconds(6 * 3600))
        #expect(reason(try await cases.composer().compose([entry]).first) == "the code expired before the mail went out")
    }

    @Test func answersEachEntryInItsPlace() async throws {
        let first = try await accepted()
        var gone = first
        gone.codeID = [UInt8](repeating: 1, count: 16)
        let second = try await accepted("bob@example.com")
        let compositions = try await cases.composer().compose([first, gone, second])
        #expect(compositions.map { reason($0) } == [nil, "the code is gone", nil])
        #expect(try text(compositions[2]).contains("bob@example.com"))
    }

    @Test func aRotatedSecretSignsTheMailsToCome() async throws {
        let entry = try await accepted()
        let code = try #require(try await cases.liveCodes().first)
        let mail = try text(try await cases.composer(keys: .rotated).compose([entry]).first)
        #expect(mail.contains(ActionLink.text(for: code, project: try .example, keys: .rotated)))
        #expect(!mail.contains(OOBCode.text(for: code, keys: .example)))
    }
}
