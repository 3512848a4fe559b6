import Testing

@testable import Associations

@Suite struct AndroidAppTests {
    static let plain = "14fc6a25c4e0a4d0b1d9f8a7e6b5c4d3e2f1a0998877665544332211ffeeddcc"
    static let normalised =
        "14:FC:6A:25:C4:E0:A4:D0:B1:D9:F8:A7:E6:B5:C4:D3:E2:F1:A0:99:88:77:66:55:44:33:22:11:FF:EE:DD:CC"

    @Test(arguments: [plain, plain.uppercased(), normalised, normalised.lowercased(), "14Fc" + plain.dropFirst(4)])
    func goodFingerprint(_ fingerprint: String) throws {
        let app = try AndroidApp(packageName: "com.example.app", sha256CertFingerprints: [fingerprint])
        #expect(app.sha256CertFingerprints == [Self.normalised])
    }

    @Test func `A fingerprint given twice in two spellings is listed once, in the order given`() throws {
        let other = "00" + Self.plain.dropFirst(2)
        let app = try AndroidApp(
            packageName: "com.example.app", sha256CertFingerprints: [Self.plain, other, Self.normalised, other.uppercased()])
        #expect(app.sha256CertFingerprints == [Self.normalised, "00" + Self.normalised.dropFirst(2)])
    }

    static let badFingerprints: [(String, String)] = [
        ("", "it has 0 hexadecimal digits"),
        ("A", "it has 1 hexadecimal digit"),
        (String(plain.dropLast()), "it has 63 hexadecimal digits"),
        (plain + "0", "it has 65 hexadecimal digits"),
        (String(plain.prefix(40)), "it has 40 hexadecimal digits, the length of a SHA-1 fingerprint"),
        (String(plain.prefix(32)), "it has 32 hexadecimal digits, the length of an MD5 fingerprint"),
        (normalised + ":", "its colons do not separate pairs of digits"),
        (":" + plain, "its colons do not separate pairs of digits"),
        ("14:" + plain.dropFirst(2), "its colons do not separate pairs of digits"),
        ("1:4" + normalised.dropFirst(2), "its colons do not separate pairs of digits"),
        (normalised + " ", "it contains a space"),
        ("SHA256: " + normalised, #"it contains "S""#),
        ("g" + plain.dropFirst(), #"it contains "g""#),
        ("\u{FF11}" + plain.dropFirst(), "it contains U+FF11"),
    ]

    @Test(arguments: badFingerprints)
    func badFingerprint(_ fingerprint: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.sha256CertFingerprints, value: fingerprint, reason: reason)) {
            try AndroidApp(packageName: "com.example.app", sha256CertFingerprints: [Self.plain, fingerprint])
        }
    }

    @Test(arguments: ["a.b", "com.example.app", "Com.Example_2.a1", "com.example.app_"])
    func goodPackageName(_ packageName: String) throws {
        #expect(try AndroidApp(packageName: packageName, sha256CertFingerprints: [Self.plain]).packageName == packageName)
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("example", "it has one segment only"),
        ("com..app", "it has an empty segment"),
        (".com.app", "it has an empty segment"),
        ("com.app.", "it has an empty segment"),
        ("com.0x.app", #"its segment "0x" does not begin with a letter"#),
        ("com._x", #"its segment "_x" does not begin with a letter"#),
        ("com.example-app", #"it contains "-""#),
        ("com.exämple", "it contains U+00E4"),
    ])
    func badPackageName(_ packageName: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.packageName, value: packageName, reason: reason)) {
            try AndroidApp(packageName: packageName, sha256CertFingerprints: [Self.plain])
        }
    }

    @Test func `An app without a fingerprint is refused`() {
        let reason = "there is none, so Android could never verify the app"
        #expect(throws: AssociationError.invalid(.sha256CertFingerprints, value: "", reason: reason)) {
            try AndroidApp(packageName: "com.example.app", sha256CertFingerprints: [])
        }
    }

    @Test func `All problems of an app are told at once`() {
        let problems = AndroidApp.problems(packageName: "x", sha256CertFingerprints: ["1", Self.plain, "2"])
        #expect(problems.map(\.code) == ["INVALID_PACKAGE_NAME", "INVALID_CERT_FINGERPRINT", "INVALID_CERT_FINGERPRINT"])
    }
}
