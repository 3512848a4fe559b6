import Testing

@testable import Associations

@Suite struct AppSiteAssociationTests {
    static let appID = "ABCDE12345.com.example.app"
    static let link = "https://links.example.com/__/auth/links?link=https%3A%2F%2Fauth.example.com%2F__%2Fauth%2Faction%3FapiKey%3Dk"

    // MARK: golden files

    struct Golden: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () throws -> AppSiteAssociation
        var testDescription: String { name }
    }

    static let goldens: [Golden] = [
        Golden(name: "aasa-empty.json") { AppSiteAssociation(apps: AssociatedApps()) },
        Golden(name: "aasa-one-app.json") { AppSiteAssociation(apps: AssociatedApps(apple: [try .example()])) },
        Golden(name: "aasa-firebase.json") {
            AppSiteAssociation(
                apps: AssociatedApps(apple: [try .example(), try .example("com.example.two")]),
                options: try AssociationOptions(appLinkForm: .firebaseCompat))
        },
        Golden(name: "aasa-components-and-paths.json") {
            AppSiteAssociation(
                apps: AssociatedApps(apple: [try .example(), try .example("com.example.two")]),
                options: try AssociationOptions(
                    appLinkForm: .componentsAndPaths, extraComponents: [try AppLinkComponent(path: "/orders/*")]))
        },
        Golden(name: "aasa-options.json") {
            AppSiteAssociation(
                apps: AssociatedApps(apple: [try .example()]),
                options: try AssociationOptions(
                    extraComponents: [
                        try AppLinkComponent(path: "/orders/*", query: .items(["id": "????"]), comment: "order \"pages\""),
                        try AppLinkComponent(fragment: "no_app", exclude: true, caseSensitive: false),
                    ],
                    appClips: [try .example("com.example.app.Clip")]))
        },
        Golden(name: "aasa-projects.json") {
            try AppSiteAssociation(projects: [
                ProjectAssociations(apps: AssociatedApps(apple: [try .example(), try .example("com.example.shared")])),
                ProjectAssociations(
                    apps: AssociatedApps(apple: [try .example("com.example.old")]),
                    options: try AssociationOptions(appLinkForm: .firebaseCompat)),
                ProjectAssociations(apps: AssociatedApps(apple: [try .example("com.example.shared"), try .example("com.example.last")])),
            ])
        },
    ]

    @Test(arguments: goldens)
    func golden(_ golden: Golden) throws {
        let file = try golden.make().render()
        #expect(String(decoding: file.bytes, as: UTF8.self) == (try Fixture.text(golden.name)))
        #expect(try golden.make().render() == file)
    }

    @Test(arguments: goldens)
    func `Old and new keys are never in one entry`(_ golden: Golden) throws {
        for detail in try JSON.parse(golden.make().render().bytes)["applinks"]?["details"]?.array ?? [] {
            let keys = Set((detail.object ?? [:]).keys)
            #expect(keys == ["appIDs", "components"] || keys == ["appID", "paths"])
        }
    }

    // MARK: what opens

    @Test(arguments: [
        (link, AASAMatcher.Result.match),
        ("https://links.example.com/__/auth/links/?link=x", .match),
        ("https://links.example.com/__/auth/links?lang=en&link=x#f", .match),
        ("https://links.example.com/__/auth/links", .none),
        ("https://links.example.com/__/auth/links?link=", .none),
        ("https://links.example.com/__/auth/links?other=x", .none),
        ("https://links.example.com/__/auth/links/more?link=x", .none),
        ("https://links.example.com/__/auth/action?mode=signIn&oobCode=c&link=x", .exclude),
        ("https://links.example.com/__/auth/action/", .exclude),
        ("https://links.example.com/__/auth/handler", .exclude),
        ("https://links.example.com/", .none),
        ("https://links.example.com", .none),
        ("https://links.example.com/.well-known/apple-app-site-association", .none),
    ])
    func `A mailed link opens the app, a page stays in the browser`(_ url: String, _ result: AASAMatcher.Result) throws {
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()])).render().bytes
        #expect(try AASAMatcher.result(file: file, appID: Self.appID, url: url) == result)
        #expect(try AASAMatcher.result(file: file, appID: "ABCDE12345.com.example.other", url: url) == .none)
    }

    @Test(arguments: [
        (link, true), ("https://h.test/__/auth/links", false), ("https://h.test/orders/1", true),
        ("https://h.test/__/auth/action?x", false),
        ("https://h.test/__/auth/handler", false), ("https://h.test/", false), ("https://h.test/anything", false),
    ])
    func `With paths for old systems a new system decides by components alone`(_ url: String, _ opens: Bool) throws {
        let options = try AssociationOptions(appLinkForm: .componentsAndPaths, extraComponents: [try AppLinkComponent(path: "/orders/*")])
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render().bytes
        #expect((try AASAMatcher.result(file: file, appID: Self.appID, url: url) == .match) == opens)
    }

    @Test(arguments: [
        (link, true), ("https://h.test/__/auth/links", true), ("https://h.test/__/auth/action?x", false),
        ("https://h.test/__/auth/handler", false), ("https://h.test/", false), ("https://h.test/orders/1", false),
    ])
    func `An old system opens mailed links and no page`(_ url: String, _ opens: Bool) throws {
        let options = try AssociationOptions(appLinkForm: .componentsAndPaths)
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render().bytes
        let details = try JSON.parse(file)["applinks"]?["details"]?.array ?? []
        let readByOldSystems = JSON.object(["details": .array(details.filter { $0["appID"] != nil })])
        #expect((AASAMatcher.result(applinks: readByOldSystems, appID: Self.appID, url: url) == .match) == opens)
    }

    @Test(arguments: [
        (link, true), ("https://h.test/__/auth/action?x", false), ("https://h.test/__/auth/handler", false), ("https://h.test/_/x", false),
        ("https://h.test/", true), ("https://h.test/anything", true),
    ])
    func `Firebase's form opens what Firebase's opens`(_ url: String, _ opens: Bool) throws {
        let options = try AssociationOptions(appLinkForm: .firebaseCompat)
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render().bytes
        #expect((try AASAMatcher.result(file: file, appID: Self.appID, url: url) == .match) == opens)
    }

    @Test(arguments: ["/__/auth/action?x", "/__/auth/action/", "/__/auth/handler"])
    func `No extra component opens an action page in the app`(_ target: String) throws {
        let extra = [try AppLinkComponent(path: "*"), try AppLinkComponent(path: "/__/auth/*"), try AppLinkComponent(query: .whole("*"))]
        let options = try AssociationOptions(extraComponents: extra)
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render().bytes
        #expect(try AASAMatcher.result(file: file, appID: Self.appID, url: "https://h.test\(target)") == .exclude)
        #expect(try AASAMatcher.result(file: file, appID: Self.appID, url: "https://h.test/else") == .match)
    }

    @Test func `No extra component keeps a mailed link in the browser`() throws {
        let options = try AssociationOptions(extraComponents: [try AppLinkComponent(path: "*", exclude: true)])
        let file = try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render().bytes
        #expect(try AASAMatcher.result(file: file, appID: Self.appID, url: Self.link) == .match)
    }

    // MARK: several projects

    @Test func `Two projects that want different entries for one app are refused`() throws {
        let apps = AssociatedApps(apple: [try .example()])
        let firebase = try AssociationOptions(appLinkForm: .firebaseCompat)
        #expect(throws: AssociationError.conflictingOptions(app: Self.appID)) {
            try AppSiteAssociation(projects: [ProjectAssociations(apps: apps), ProjectAssociations(apps: apps, options: firebase)])
        }
        // Options that do not concern the entry do not clash.
        let clip = try AssociationOptions(appClips: [try .example("com.example.app.Clip")], loginCredentials: true)
        let file = try AppSiteAssociation(projects: [ProjectAssociations(apps: apps), ProjectAssociations(apps: apps, options: clip)])
            .render()
        let json = try JSON.parse(file.bytes)
        #expect(json["webcredentials"]?["apps"]?.strings == [Self.appID])
        #expect(json["appclips"]?["apps"]?.strings == [Self.appID + ".Clip"])
    }

    @Test func `No project makes the empty file`() throws {
        #expect(try AppSiteAssociation(projects: []).render() == AppSiteAssociation(apps: AssociatedApps()).render())
    }

    // MARK: size

    @Test func `128 KiB is the largest file and one byte more is refused`() throws {
        func render(comment length: Int) throws -> AssociationFile {
            let extra = try AppLinkComponent(path: "/a", comment: String(repeating: "x", count: length))
            let options = try AssociationOptions(extraComponents: [extra])
            return try AppSiteAssociation(apps: AssociatedApps(apple: [try .example()]), options: options).render()
        }
        let padding = 131_072 - (try render(comment: 0)).bytes.count
        #expect(try render(comment: padding).bytes.count == 131_072)
        #expect(throws: AssociationError.tooLarge(size: 131_073, limit: 131_072)) { try render(comment: padding + 1) }
    }

    @Test func `A thousand apps fit`() throws {
        let apps = AssociatedApps(apple: try (0..<1000).map { try .example("com.example.app\($0)") })
        #expect(try AppSiteAssociation(apps: apps).render().bytes.count < AppSiteAssociation.maximumSize)
    }
}
