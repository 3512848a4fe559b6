import Crypto
import Testing

@testable import Mail

@Suite struct DKIMCanonicalizationTests {
    /// The first four are the examples of RFC 6376 §3.4.5 and §3.4.4.
    @Test(arguments: [
        (" C \r\nD \t E\r\n\r\n\r\n", " C\r\nD E\r\n"),
        ("", ""),
        ("\r\n", ""),
        ("\r\n\r\n\r\n", ""),
        (" ", ""), ("\t \r\n", ""), ("  \r\n\t\r\n", ""),
        ("a", "a\r\n"), ("a\r\n", "a\r\n"), ("a\r\n\r\n", "a\r\n"), ("a\r\n \r\n\t\r\n", "a\r\n"), ("a \t", "a\r\n"), ("a \t\r\n", "a\r\n"),
        ("\r\na\r\n", "\r\na\r\n"), ("a\r\n\r\n\r\nb\r\n", "a\r\n\r\n\r\nb\r\n"), ("a\r\n \t\r\nb", "a\r\n\r\nb\r\n"),
        ("\ta\t\t b\r\n", " a b\r\n"), ("  a\r\n", " a\r\n"),
        ("a\rb\r\n", "a\rb\r\n"), ("a\nb\r\n", "a\nb\r\n"), ("a\r", "a\r\r\n"), ("a \r\r\n", "a \r\r\n"),
        ("..\r\n.\r\n", "..\r\n.\r\n"), ("é \r\n", "é\r\n"),
    ])
    func relaxedBody(_ body: String, _ expected: String) {
        let octets = Array(("xx" + body + "yy").utf8)
        let canonical = DKIMCanonicalization.relaxedBody(octets[2..<(octets.count - 2)])
        #expect(String(decoding: canonical, as: UTF8.self) == expected)
    }

    /// The digests of RFC 6376 §3.4.4 and, for the second, of a body that every verifier knows.
    @Test func theDigestOfAnEmptyBody() {
        #expect(Base64.standard(SHA256.digest(DKIMCanonicalization.relaxedBody([]))) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    }

    @Test(arguments: [
        ("A: X", "a:X"), ("B : Y\t\r\n\tZ  ", "b:Y Z"), ("SUBJect:  Hi  ", "subject:Hi"), ("Subject:Hi", "subject:Hi"),
        ("Subject: \t", "subject:"), ("Subject:", "subject:"), ("Subject:\r\n Hi", "subject:Hi"),
        ("Subject: a\r\n b\r\n\tc", "subject:a b c"),
        ("X-Up_and-9 \t : a:b : c", "x-up_and-9:a:b : c"), ("To: é", "to:é"), ("no colon", ""),
    ])
    func relaxedField(_ field: String, _ expected: String) {
        var out = Array("before ".utf8)
        DKIMCanonicalization.appendRelaxedField(Array(field.utf8)[...], to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "before " + expected)
    }
}

/// Base64 as other programs print it, for comparisons.
enum Base64 {
    static func standard(_ octets: [UInt8]) -> String {
        let text = String(Base64URL.encode(octets).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
