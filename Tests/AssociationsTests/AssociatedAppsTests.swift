import Testing

@testable import Associations

@Suite struct AssociatedAppsTests {
    @Test func `An Apple app that two projects name appears once, at its first place`() throws {
        let first = AssociatedApps(apple: [try .example("com.example.b"), try .example("com.example.a")])
        let second = AssociatedApps(apple: [try .example("com.example.a", appStoreID: "42"), try .example("com.example.c")])
        let merged = AssociatedApps.merging([first, second])
        #expect(merged.apple.map(\.bundleID) == ["com.example.b", "com.example.a", "com.example.c"])
        #expect(merged.apple.map(\.appStoreID) == [nil, "42", nil])
    }

    @Test func `One bundle identifier of two teams is two apps`() throws {
        let apps = AssociatedApps(apple: [
            try AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345"),
            try AppleApp(bundleID: "com.example.app", teamID: "ZZZZZ12345"),
        ])
        #expect(apps.apple.count == 2)
    }

    @Test func `An Android app that two projects name has the fingerprints of both`() throws {
        let first = AssociatedApps(android: [try .example("com.example.app", "01", "02")])
        let second = AssociatedApps(android: [try .example("com.example.app", "02", "03"), try .example("com.example.other", "01")])
        let merged = AssociatedApps.merging([first, second])
        #expect(merged.android.map(\.packageName) == ["com.example.app", "com.example.other"])
        #expect(merged.android[0] == (try .example("com.example.app", "01", "02", "03")))
    }

    @Test func `Nothing merges to nothing`() {
        #expect(AssociatedApps.merging([]) == AssociatedApps())
    }
}

extension AppleApp {
    static func example(_ bundleID: String = "com.example.app", appStoreID: String? = nil) throws -> AppleApp {
        try AppleApp(bundleID: bundleID, teamID: "ABCDE12345", appStoreID: appStoreID)
    }
}

extension AndroidApp {
    /// An app whose fingerprints are the given pairs, repeated.
    static func example(_ packageName: String = "com.example.app", _ pairs: String...) throws -> AndroidApp {
        let fingerprints = (pairs.isEmpty ? ["AB"] : pairs).map { String(repeating: $0, count: 32) }
        return try AndroidApp(packageName: packageName, sha256CertFingerprints: fingerprints)
    }
}
