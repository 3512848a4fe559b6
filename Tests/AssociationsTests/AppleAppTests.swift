import Testing

@testable import Associations

@Suite struct AppleAppTests {
    @Test func `An App ID is the prefix, a full stop and the bundle identifier`() throws {
        let app = try AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345", appStoreID: "123456789")
        #expect(app.appID == "ABCDE12345.com.example.app")
        #expect(app.appStoreID == "123456789")
    }

    @Test(arguments: ["a", "com.example.app", "com.Example-2.app-name", "1.2.3", "-", String(repeating: "a", count: 155)])
    func goodBundleID(_ bundleID: String) throws {
        #expect(try AppleApp(bundleID: bundleID, teamID: "ABCDE12345").bundleID == bundleID)
    }

    @Test(arguments: [
        ("", "it is empty"),
        (".", "it has an empty segment"),
        (".com.example", "it has an empty segment"),
        ("com.example.", "it has an empty segment"),
        ("com..example", "it has an empty segment"),
        ("com.example.*", "it is a wildcard; every app is named by itself"),
        ("com.example_app", #"it contains "_""#),
        ("com.example app", "it contains a space"),
        ("com.example.app\n", "it contains U+000A"),
        ("com.example/app", #"it contains "/""#),
        ("com.exämple", "it contains U+00E4"),
        // Both compare as if they were ASCII letters.
        ("com.b\u{301}", "it contains U+0062 U+0301"),
        ("com.\u{212A}", "it contains U+212A"),
        (String(repeating: "a", count: 156), "it is 156 characters long"),
        ("ABCDE12345.com.example.app", "it begins with the team ID, which is put before it anyway"),
    ])
    func badBundleID(_ bundleID: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.bundleID, value: bundleID, reason: reason)) {
            try AppleApp(bundleID: bundleID, teamID: "ABCDE12345")
        }
    }

    @Test(arguments: ["ABCDE12345", "ABCDEFGHIJ", "0123456789"])
    func goodTeamID(_ teamID: String) throws {
        #expect(try AppleApp(bundleID: "com.example.app", teamID: teamID).teamID == teamID)
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("A", "it is 1 character long"),
        ("ABCDE1234", "it is 9 characters long"),
        ("ABCDE123456", "it is 11 characters long"),
        ("ABCDe12345", #"it contains the lower-case letter "e""#),
        ("ABCDE-1234", #"it contains "-""#),
        ("ABCDE12345.", #"it contains ".""#),
        ("ABCDE1234٥", "it contains U+0665"),
        ("ÀBCDE12345", "it contains U+00C0"),
    ])
    func badTeamID(_ teamID: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.teamID, value: teamID, reason: reason)) {
            try AppleApp(bundleID: "com.example.app", teamID: teamID)
        }
    }

    @Test(arguments: [
        ("", "it is empty; leave the setting out when the app is not in the App Store"),
        ("id123456789", #"it begins with "id", as in a store address; give the number alone"#),
        ("12a", #"it contains "a""#),
        ("-1", #"it contains "-""#),
        ("012", "it begins with 0"),
        ("12345678901234567890", "it is 20 digits long"),
    ])
    func badAppStoreID(_ appStoreID: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.appStoreID, value: appStoreID, reason: reason)) {
            try AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345", appStoreID: appStoreID)
        }
    }

    @Test func `All problems of an app are told at once`() {
        let problems = AppleApp.problems(bundleID: "a_b", teamID: "abc", appStoreID: "x")
        #expect(problems.map(\.code) == ["INVALID_BUNDLE_ID", "INVALID_TEAM_ID", "INVALID_APP_STORE_ID"])
        #expect(AppleApp.problems(bundleID: "a.b", teamID: "ABCDE12345", appStoreID: nil).isEmpty)
    }
}
