import Testing

@testable import Associations

@Suite struct AssociationErrorTests {
    @Test func `A sentence names the setting, the value, the reason and what is expected`() {
        let error = AssociationError.invalid(.teamID, value: "abc", reason: "it is 3 characters long")
        #expect(
            error.description
                == #"teamID "abc" is refused: it is 3 characters long; expected ten upper-case letters or digits, such as ABCDE12345."#)
        #expect(error.code == "INVALID_TEAM_ID")
    }

    @Test func `The other cases name the app and the size`() {
        #expect(
            AssociationError.conflictingOptions(app: "com.example.app").description
                == #"The app "com.example.app" has different association options in two projects of one host; "#
                + "expected the same options in every project that names the app.")
        #expect(
            AssociationError.tooLarge(size: 131_073, limit: 131_072).description
                == "The apple-app-site-association file would be 131073 bytes long; "
                + "expected at most 131072 bytes; spread the apps over several link domains.")
    }

    @Test(arguments: [
        ("a\nb", #""a\nb""#), ("\u{1B}[31m", #""\u{1B}[31m""#), ("\u{202E}gro", #""\u{202E}gro""#), ("日本", #""日本""#),
        (String(repeating: "x", count: 121), "\"" + String(repeating: "x", count: 120) + "…\""),
    ])
    func `A value cannot break the line it is shown in`(_ value: String, _ shown: String) {
        let text = AssociationError.invalid(.packageName, value: value, reason: "r").description
        #expect(text.hasPrefix("packageName \(shown) is refused"))
    }

    @Test(arguments: AssociationError.Field.allCases)
    func `Every field says what it expects`(_ field: AssociationError.Field) {
        let error = AssociationError.invalid(field, value: "v", reason: "r")
        #expect(!error.expected.isEmpty && !error.expected.hasSuffix("."))
        #expect(error.code.hasPrefix("INVALID_"))
    }
}
