import Testing

@testable import Associations

@Suite struct AssociationOptionsTests {
    @Test func `Everything is off by default`() throws {
        let options = try AssociationOptions()
        #expect(options == .none)
        #expect(options.appLinkForm == .components)
        #expect(options.extraComponents.isEmpty && options.appClips.isEmpty && options.extraAndroidComponents.isEmpty)
        #expect(!options.dynamicAppLinks && !options.loginCredentials)
    }

    @Test func `Components cannot be added to entries that have paths`() throws {
        let extra = [try AppLinkComponent(path: "/a")]
        #expect(throws: AssociationError.self) { try AssociationOptions(appLinkForm: .firebaseCompat, extraComponents: extra) }
        #expect(try AssociationOptions(appLinkForm: .componentsAndPaths, extraComponents: extra).extraComponents == extra)
    }

    @Test func `Android components need dynamic app links`() throws {
        let extra = [try AppLinkComponent(path: "/a")]
        #expect(throws: AssociationError.invalid(.extraAndroidComponents, value: "", reason: "dynamic app links are off")) {
            try AssociationOptions(extraAndroidComponents: extra)
        }
        #expect(try AssociationOptions(dynamicAppLinks: true, extraAndroidComponents: extra).extraAndroidComponents == extra)
    }

    @Test func `What Android does not know is refused`() throws {
        let good = try AppLinkComponent(path: "/a", query: .items(["b": "?*"]), fragment: "c", exclude: true)
        let bad = [
            try AppLinkComponent(query: .whole("a=1")), try AppLinkComponent(path: "/a", comment: "c"),
            try AppLinkComponent(path: "/a", caseSensitive: false), try AppLinkComponent(path: "/a", percentEncoded: false),
            try AppLinkComponent(path: "/$(lang)"), try AppLinkComponent(query: .items(["a": "$(digit)"])),
        ]
        let problems = AssociationOptions.problems(
            appLinkForm: .components, extraComponents: [], dynamicAppLinks: true, extraAndroidComponents: [good] + bad)
        #expect(problems.count == bad.count)
        #expect(
            problems.first
                == .invalid(
                    .extraAndroidComponents, value: #"{"?":"a=1"}"#,
                    reason: "Android takes query items only, not a pattern for the whole query"))
    }
}
