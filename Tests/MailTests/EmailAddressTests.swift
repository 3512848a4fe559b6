import Mail
import Testing

@Suite struct EmailAddressTests {
    @Test(arguments: [
        ("ann@example.com", "ann@example.com"),
        ("  Ann.Lee+News@EXAMPLE.com\r\n", "ann.lee+news@example.com"),
        ("\tann@example.com\t", "ann@example.com"),
        ("b7xk2f9q4m@privaterelay.appleid.com", "b7xk2f9q4m@privaterelay.appleid.com"),
        ("dpdcnf87nu@privaterelay.appleid.com", "dpdcnf87nu@privaterelay.appleid.com"),
        ("jürgen@müller.example", "jürgen@xn--mller-kva.example"),
        ("JÜRGEN@MÜLLER.EXAMPLE", "jürgen@xn--mller-kva.example"),
        ("ju\u{308}rgen@mu\u{308}ller.example", "jürgen@xn--mller-kva.example"),
        ("x@XN--MLLER-KVA.example", "x@xn--mller-kva.example"),
        ("x@faß.example", "x@xn--fa-hia.example"),
        ("Ἀθηνᾶ.2@example.gr", "ἀθηνᾶ.2@example.gr"),
        ("ΣΊΣΥΦΟΣ@example.gr", "σίσυφοσ@example.gr"),
        ("用户@例子.example", "用户@xn--fsqu00a.example"),
        ("שלום@example.org", "שלום@example.org"),
        ("हिन्दी@example.in", "हिन्दी@example.in"),
        ("İ@example.com", "i\u{307}@example.com"),
        ("!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"),
        ("a@localhost", "a@localhost"),
        ("a@r3---sn-4g5e.example.com", "a@r3---sn-4g5e.example.com"),
        ("a@1and1.com", "a@1and1.com"),
        ("a@123.com", "a@123.com"),
    ])
    func normalises(_ text: String, _ expected: String) throws {
        let address = try EmailAddress(text)
        #expect(Array(address.text.utf8) == Array(expected.utf8))
        #expect(Array(try EmailAddress(address.text).text.utf8) == Array(expected.utf8), "the normal form is its own normal form")
    }

    @Test func keepsTheLongestPartsAndRefusesOneMore() throws {
        let local = String(repeating: "a", count: 64)
        let label = String(repeating: "b", count: 63)
        #expect(try EmailAddress("\(local)@\(label).com").localPart == local)
        #expect(throws: EmailAddressError.localPartTooLong) { try EmailAddress("a\(local)@example.com") }
        #expect(throws: EmailAddressError.labelTooLong) { try EmailAddress("a@b\(label).com") }
        // 32 two-octet letters are 64 octets, 33 are not.
        #expect(try EmailAddress(String(repeating: "ü", count: 32) + "@example.com").localPart.utf8.count == 64)
        #expect(throws: EmailAddressError.localPartTooLong) { try EmailAddress(String(repeating: "ü", count: 33) + "@example.com") }
        let long = "\(label).\(label).\(label)"
        #expect(try EmailAddress("a@\(long).\(String(repeating: "c", count: 60))").text.utf8.count == 254)
        #expect(throws: EmailAddressError.tooLong) { try EmailAddress("ab@\(long).\(String(repeating: "c", count: 60))") }
        #expect(throws: EmailAddressError.domainTooLong) { try EmailAddress("a@\(long).\(label)") }
        #expect(throws: EmailAddressError.tooLong) { try EmailAddress(String(repeating: "a", count: 5000) + "@example.com") }
    }

    @Test(arguments: [
        ("", EmailAddressError.empty), (" \r\n\t", .empty), ("ann", .missingAt), ("ann.example.com", .missingAt),
        ("@example.com", .localPartMissing), ("ann@", .domainMissing), ("@", .localPartMissing),
        ("ann@x.com@y.com", .severalAts), ("ann@@x.com", .severalAts),
        ("\"ann lee\"@example.com", .quotedLocalPart), ("\"a@b\"@example.com", .quotedLocalPart),
        ("ann@[1.2.3.4]", .addressLiteral), ("ann@[IPv6:::1]", .addressLiteral), ("ann@1.2.3.4", .malformedDomain),
        ("ann lee@example.com", .whiteSpace), ("ann@exam ple.com", .whiteSpace), ("ann\u{A0}@example.com", .whiteSpace),
        ("ann\u{3000}@example.com", .whiteSpace),
        ("ann\r\nBcc: eve@example.com", .invisibleCharacter), ("ann\n@example.com", .invisibleCharacter),
        ("ann\0@example.com", .invisibleCharacter), ("ann\u{7F}@example.com", .invisibleCharacter),
        ("ann\u{85}@example.com", .invisibleCharacter),
        ("ann\u{2028}@example.com", .invisibleCharacter), ("ann\u{2029}@example.com", .invisibleCharacter),
        ("ann\u{202E}@example.com", .invisibleCharacter), ("ann@exa\u{2066}mple.com", .invisibleCharacter),
        ("an\u{200B}n@example.com", .invisibleCharacter), ("an\u{200D}n@example.com", .invisibleCharacter),
        ("an\u{AD}n@example.com", .invisibleCharacter), ("ann@exam\u{200B}ple.com", .invisibleCharacter),
        ("an\u{3164}n@example.com", .invisibleCharacter), ("\u{FEFF}ann@example.com", .invisibleCharacter),
        ("<ann@example.com>", .forbiddenCharacter), ("ann>@example.com", .forbiddenCharacter), ("a(b)@example.com", .forbiddenCharacter),
        ("a,b@example.com", .forbiddenCharacter), ("a;b@example.com", .forbiddenCharacter), ("a:b@example.com", .forbiddenCharacter),
        ("a\\b@example.com", .forbiddenCharacter), ("a\"b@example.com", .forbiddenCharacter), ("a[b]@example.com", .forbiddenCharacter),
        (".ann@example.com", .misplacedDot), ("ann.@example.com", .misplacedDot), ("ann..lee@example.com", .misplacedDot),
        ("ann@.example.com", .misplacedDot), ("ann@example.com.", .misplacedDot), ("ann@example..com", .misplacedDot),
        ("😀@example.com", .forbiddenCharacter), ("a\u{378}@example.com", .forbiddenCharacter),
        ("\u{301}ann@example.com", .forbiddenCharacter),
        ("ａｎｎ@example.com", .forbiddenCharacter), ("ann＠example.com", .missingAt), ("ann@ｅｘａｍｐｌｅ.com", .malformedDomain),
        ("\u{212A}im@example.com", .forbiddenCharacter), ("kim@\u{212A}.com", .malformedDomain),
        ("a@b_c.com", .malformedDomain), ("a@-b.com", .malformedDomain), ("a@b-.com", .malformedDomain), ("a@b!c.com", .malformedDomain),
        ("a@example", .domainWithoutDot), ("a@xn--a.example", .malformedDomain), ("a@xn--example-.com", .malformedDomain),
        ("a@例子。example", .malformedDomain), ("a@😀.com", .malformedDomain),
    ])
    func refuses(_ text: String, _ error: EmailAddressError) {
        #expect(throws: error) { try EmailAddress(text) }
    }

    @Test func masksTheLocalPart() throws {
        #expect(try EmailAddress("ann.lee@example.com").masked == "a•••@example.com")
        #expect(try EmailAddress("é@example.com").masked == "é•••@example.com")
    }

    @Test func everyErrorHasASentenceOfItsOwn() {
        #expect(Set(EmailAddressError.allCases.map(\.description)).count == EmailAddressError.allCases.count)
    }
}
