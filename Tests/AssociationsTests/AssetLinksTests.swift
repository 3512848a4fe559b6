import Testing

@testable import Associations

@Suite struct AssetLinksTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () throws -> AssetLinks
        var testDescription: String { name }
    }

    static let goldens: [Golden] = [
        Golden(name: "assetlinks-empty.json") { AssetLinks(apps: AssociatedApps()) },
        Golden(name: "assetlinks-two-apps.json") {
            AssetLinks(apps: AssociatedApps(android: [try .example("com.example.app", "ab", "01"), try .example("com.example.two")]))
        },
        Golden(name: "assetlinks-options.json") {
            AssetLinks(
                apps: AssociatedApps(android: [try .example()]),
                options: try AssociationOptions(
                    dynamicAppLinks: true,
                    extraAndroidComponents: [
                        try AppLinkComponent(path: "/orders/private", exclude: true),
                        try AppLinkComponent(path: "/orders/*", query: .items(["id": "?*"]), fragment: "top"),
                    ],
                    loginCredentials: true))
        },
        Golden(name: "assetlinks-projects.json") {
            try AssetLinks(projects: [
                ProjectAssociations(
                    apps: AssociatedApps(apple: [try .example()], android: [try .example("com.example.app", "01")])),
                ProjectAssociations(
                    apps: AssociatedApps(android: [try .example("com.example.two", "02")]),
                    options: try AssociationOptions(dynamicAppLinks: true)),
                ProjectAssociations(apps: AssociatedApps(android: [try .example("com.example.app", "01", "03")])),
            ])
        },
    ]

    @Test(arguments: goldens)
    func golden(_ golden: Golden) throws {
        let file = try golden.make().render()
        #expect(String(decoding: file.bytes, as: UTF8.self) == (try Fixture.text(golden.name)))
        #expect(try golden.make().render() == file)
        #expect(try JSON.parse(file.bytes).array != nil)
    }

    @Test func `Two projects that want different statements for one app are refused`() throws {
        let apps = AssociatedApps(android: [try .example()])
        for options in [try AssociationOptions(dynamicAppLinks: true), try AssociationOptions(loginCredentials: true)] {
            #expect(throws: AssociationError.conflictingOptions(app: "com.example.app")) {
                try AssetLinks(projects: [ProjectAssociations(apps: apps), ProjectAssociations(apps: apps, options: options)])
            }
        }
        // Options for Apple apps do not clash.
        let apple = try AssociationOptions(appLinkForm: .firebaseCompat)
        let file = try AssetLinks(projects: [ProjectAssociations(apps: apps), ProjectAssociations(apps: apps, options: apple)]).render()
        #expect(try JSON.parse(file.bytes).array?.count == 1)
    }

    @Test func `No project makes the empty file`() throws {
        #expect(try AssetLinks(projects: []).render().bytes == Array("[]".utf8))
    }

    /// The components of Android 15 follow the same rules as Apple's, on the parts that both know.
    @Test(arguments: [
        ("https://h.test/__/auth/links?link=x", true), ("https://h.test/__/auth/action", false), ("https://h.test/", false),
        ("https://h.test/orders/1?id=1#top", true), ("https://h.test/orders/private?id=1#top", false), ("https://h.test/orders/1", false),
    ])
    func `Dynamic app links open mailed links and the extra ones`(_ url: String, _ opens: Bool) throws {
        let statement = try JSON.parse(try Fixture.bytes("assetlinks-options.json")).array?.first
        let relation = statement?["relation_extensions"]?["delegate_permission/common.handle_all_urls"]
        let components = try #require(relation?["dynamic_app_link_components"])
        let applinks = JSON.object(["details": .array([.object(["appIDs": .array([.string("a")]), "components": components])])])
        #expect((AASAMatcher.result(applinks: applinks, appID: "a", url: url) == .match) == opens)
    }
}
