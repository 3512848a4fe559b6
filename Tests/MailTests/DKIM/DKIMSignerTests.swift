import Crypto
import Platform
import Testing

@testable import Mail

@Suite struct DKIMSignerTests {
    static let rsa = Result { try SigningKey.generate(.rs256) }
    static let ed25519 = Result { try SigningKey.generate(.edDSA) }
    static let time = UnixTime(seconds: 1_796_077_676)

    static func identity(_ key: SigningKey, selector: String, domain: String = "example.com") -> DKIMIdentity {
        DKIMIdentity(domain: domain, selector: selector, algorithm: key.algorithm == .rs256 ? .rsaSHA256 : .ed25519SHA256) {
            octets throws(DKIMIdentity.SigningFailure) in
            do throws(CryptoError) {
                return try key.signature(over: octets)
            } catch {
                throw DKIMIdentity.SigningFailure(cause: error.code)
            }
        }
    }

    static func signer() throws -> DKIMSigner {
        DKIMSigner(
            [try identity(rsa.get(), selector: "s1"), try identity(ed25519.get(), selector: "s2")], sha256: SHA256.digest)
    }

    // MARK: The example of RFC 8463, appendix A

    static let example = [
        "From: Joe SixPack <joe@football.example.com>", "To: Suzie Q <suzie@shopping.example.net>", "Subject: Is dinner ready?",
        "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)", "Message-ID: <20030712040037.46341.5F8J@football.example.com>", "", "Hi.", "",
        "We lost the game.  Are you hungry yet?", "", "Joe.", "",
    ].joined(separator: "\r\n")

    @Test func theExampleOfRFC8463() throws {
        let octets = MessageOctets(Array(Self.example.utf8))
        #expect(
            Base64.standard(SHA256.digest(DKIMCanonicalization.relaxedBody(octets.body)))
                == "2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=")
        let field = [
            "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;", " d=football.example.com; i=@football.example.com;",
            " q=dns/txt; s=brisbane; t=1528637909; h=from : to :", " subject : date : message-id : from : subject : date;",
            " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;", " b=",
        ].joined(separator: "\r\n")
        var signed = DKIMSigner.signedText(
            octets.fields, names: ["from", "to", "subject", "date", "message-id", "from", "subject", "date"])
        DKIMCanonicalization.appendRelaxedField(Array(field.utf8)[...], to: &signed)
        let pem =
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n"
        let key = try SigningKey(pem: pem)
        #expect(Base64.standard(key.publicKey.recordBytes) == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
        #expect(
            Base64.standard(try key.signature(over: SHA256.digest(signed)))
                == "/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11BusFa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==")
    }

    // MARK: Our own

    /// A verifier of its own: what RFC 6376 §6.1 says about a message whose first fields are signatures, and nothing that the signer uses
    /// but the canonical forms, which have a table of their own.
    static func verdicts(_ message: [UInt8]) throws -> [String: Bool] {
        let octets = MessageOctets(message)
        var verdicts: [String: Bool] = [:]
        for field in octets.fields where field.name == "dkim-signature" {
            let text = String(decoding: field.octets, as: UTF8.self)
            var tags: [String: String] = [:]
            for tag in text.dropFirst("DKIM-Signature:".count).split(separator: ";") {
                let parts = tag.split(separator: "=", maxSplits: 1)
                tags[parts[0].filter { !$0.isWhitespace }] = parts[1].filter { !$0.isWhitespace }
            }
            var used: [String: Int] = [:]
            var signed: [UInt8] = []
            for name in try #require(tags["h"]).lowercased().split(separator: ":").map(String.init) {
                let all = octets.fields.filter { $0.name == name }
                let index = used[name, default: 0]
                used[name] = index + 1
                guard index < all.count else { continue }
                DKIMCanonicalization.appendRelaxedField(all[all.count - 1 - index].octets, to: &signed)
                signed += [0x0D, 0x0A]
            }
            let end = try #require(text.firstRange(of: " b=")).upperBound
            DKIMCanonicalization.appendRelaxedField(Array(text[..<end].utf8)[...], to: &signed)
            let key = try tags["a"] == "rsa-sha256" ? rsa.get() : ed25519.get()
            let signature = try #require(Base64URL.decode(tags["b"]?.urlAlphabet ?? ""))
            let isHeaderRight = key.publicKey.isValid(signature, over: tags["a"] == "rsa-sha256" ? signed : SHA256.digest(signed))
            let isBodyRight = tags["bh"] == Base64.standard(SHA256.digest(DKIMCanonicalization.relaxedBody(octets.body)))
            verdicts[try #require(tags["s"])] = isHeaderRight && isBodyRight
        }
        return verdicts
    }

    static func signed() throws -> [UInt8] {
        var message = try MIMEMessageTests.message()
        message.feedbackID = "signIn:example:en:postern"
        return try signer().signing(message.bytes(boundaryToken: MIMEMessageTests.token), at: time)
    }

    @Test func theFieldIsExactlyThis() throws {
        let text = String(decoding: try Self.signed(), as: UTF8.self)
        let head = [
            "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s1;",
            " t=1796077676; x=1796682476; h=From:From:To:To:Subject:Subject:Date:Date:",
            " Reply-To:Reply-To:Content-Type:Content-Type:Message-ID:MIME-Version:", " Auto-Submitted:Feedback-ID;", " bh=",
        ].joined(separator: "\r\n")
        #expect(text.hasPrefix(head), "\(text.prefix(600))")
        #expect(text.ranges(of: "DKIM-Signature:").count == 2 && text.ranges(of: "a=ed25519-sha256").count == 1)
        #expect(!text.contains(" l=") && !text.contains(";l="), "a length would let strangers append")
        let header = text[..<(text.firstRange(of: "\r\nDate:")?.lowerBound ?? text.endIndex)].split(separator: "\r\n")
        #expect(header.allSatisfy { $0.utf8.count <= 78 })
        // What was signed follows untouched.
        var message = try MIMEMessageTests.message()
        message.feedbackID = "signIn:example:en:postern"
        #expect(text.hasSuffix(MIMEMessageTests.string(message)))
    }

    @Test func bothSignaturesAreGood() throws {
        #expect(try Self.verdicts(Self.signed()) == ["s1": true, "s2": true])
    }

    enum Change: String, CaseIterable {
        case otherField, moreBlanks, foldedSubject, emptyLines, trailingBlanks, received
        case secondSubject, secondFrom, secondTo, secondDate, secondReplyTo, secondContentType, otherSubject, noDate, otherBody, moreBody
        case otherMessageID, noFeedbackID

        var survives: Bool {
            switch self {
            case .otherField, .moreBlanks, .foldedSubject, .emptyLines, .trailingBlanks, .received: true
            default: false
            }
        }

        func apply(to text: String) -> String {
            func behind(_ field: String) -> String { text.replacing("\r\nAuto-Submitted:", with: "\r\n\(field)\r\nAuto-Submitted:") }
            return switch self {
            case .otherField: behind("X-Spam-Status: No")
            case .received: "Received: from a by b; Mon, 30 Nov 2026 22:27:56 +0000\r\n" + text
            case .moreBlanks: text.replacing("Subject: Sign in", with: "SUBJECT :  Sign \t in ")
            case .foldedSubject: text.replacing("Subject: Sign in", with: "Subject: Sign\r\n\tin")
            case .emptyLines: text + "\r\n\r\n"
            case .trailingBlanks: text.replacing("<p>Hello</p>\r\n", with: "<p>Hello</p> \t\r\n")
            case .secondSubject: behind("Subject: Pay here")
            case .secondFrom: behind("From: Eve <eve@example.com>")
            case .secondTo: "To: eve@example.com\r\n" + text
            case .secondDate: behind("Date: Mon, 30 Nov 2026 22:27:57 +0000")
            case .secondReplyTo: behind("Reply-To: eve@example.net")
            case .secondContentType: "Content-Type: text/html\r\n" + text
            case .otherSubject: text.replacing("Subject: Sign in", with: "Subject: sign in")
            case .noDate: text.replacing("Date: Mon, 30 Nov 2026 22:27:56 +0000\r\n", with: "")
            case .otherBody: text.replacing("<p>Hello</p>", with: "<p>Hallo</p>")
            case .moreBody: text + "more\r\n"
            case .otherMessageID: text.replacing("<42.", with: "<43.")
            case .noFeedbackID: text.replacing("Feedback-ID: signIn:example:en:postern\r\n", with: "")
            }
        }
    }

    @Test(arguments: Change.allCases)
    func onTheWay(_ change: Change) throws {
        let text = String(decoding: try Self.signed(), as: UTF8.self)
        let changed = change.apply(to: text)
        try #require(changed != text)
        #expect(try Self.verdicts(Array(changed.utf8)) == ["s1": change.survives, "s2": change.survives])
    }

    /// Without Reply-To nobody may add one; fields that are signed as they are do not appear when the message lacks them.
    @Test func absentFields() {
        let names = DKIMSigner.names(
            of: MessageOctets(Array("From: a@example.com\r\nfrom: b@example.com\r\nTO: c@example.com\r\n\r\n".utf8)).fields)
        #expect(names == ["From", "From", "From", "To", "To", "Subject", "Date", "Reply-To", "Content-Type"])
    }

    @Test func theLowestOfANameIsSignedFirst() {
        let fields = MessageOctets(Array("A: 1\r\nB: x\r\nA: 2\r\n\r\n".utf8)).fields
        let text = DKIMSigner.signedText(fields, names: ["A", "b", "a", "A", "C"])
        #expect(String(decoding: text, as: UTF8.self) == "a:2\r\nb:x\r\na:1\r\n")
    }

    @Test func longNamesAreFolded() throws {
        let domain = [63, 63, 63, 50].map { String(repeating: "d", count: $0) }.joined(separator: ".")
        let selector = String(repeating: "s", count: 63)
        let signer = DKIMSigner([try Self.identity(Self.rsa.get(), selector: selector, domain: domain)], sha256: SHA256.digest)
        let message = try MIMEMessageTests.message().bytes(boundaryToken: MIMEMessageTests.token)
        let signed = try signer.signing(message, at: Self.time)
        #expect(try Self.verdicts(signed) == [selector: true])
        #expect(String(decoding: signed, as: UTF8.self).split(separator: "\r\n").allSatisfy { $0.utf8.count <= 300 })
    }

    @Test func aKeyThatFails() throws {
        let identity = DKIMIdentity(domain: "example.com", selector: "s9", algorithm: .rsaSHA256) {
            _ throws(DKIMIdentity.SigningFailure) in throw DKIMIdentity.SigningFailure(cause: "no memory")
        }
        let signer = DKIMSigner([try Self.identity(Self.rsa.get(), selector: "s1"), identity], sha256: SHA256.digest)
        #expect(throws: DKIMError.signingFailed(selector: "s9", cause: "no memory")) {
            try signer.signing(Array("A: b\r\n\r\n".utf8), at: Self.time)
        }
    }

    @Test func anUntouchedMessageWithoutIdentities() throws {
        let message = Array("A: b\r\n\r\nc\r\n".utf8)
        #expect(try DKIMSigner([], sha256: SHA256.digest).signing(message, at: Self.time) == message)
    }
}

extension String {
    fileprivate var urlAlphabet: String { String(filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }) }
}
