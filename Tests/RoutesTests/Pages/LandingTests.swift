import ActionCodes
import FoundationEssentials
import HTTP
import Platform
import TestSupport
import Testing

/// What scanners, strangers and broken mail clients get to see: always a page, never an effect, never a way out.
@Suite struct LandingTests {
    /// One sign-in link for the web, one for an app, and one of a page with a button.
    private static let kinds = ["signIn", "app", "verifyEmail"]

    private func world(mailing kind: String, continueURL: String = "https://example.com/done?a=1") async throws -> FixtureWorld {
        let world = try FixtureWorld(setup: "serve")
        try await world.perform("user anna@example.com")
        try await world.perform("token anna@example.com")
        let request =
            switch kind {
            case "verifyEmail": #""requestType":"VERIFY_EMAIL","idToken":"\#(world.variables["token"] ?? "")""#
            case "app":
                #""requestType":"EMAIL_SIGNIN","email":"anna@example.com","canHandleCodeInApp":true,"androidPackageName":"com.example.app""#
            default: #""requestType":"EMAIL_SIGNIN","email":"anna@example.com""#
            }
        let body = "{\(request),\"continueUrl\":\"\(continueURL)\"}"
        let answer = await world.answer(
            HTTPRequest(
                method: .post, target: "/v1/accounts:sendOobCode?key=example-web-key",
                headers: HTTPHeaders([("Host", "auth.example.com"), ("Content-Type", "application/json")]), body: Array(body.utf8)))
        try #require(answer.status == 200, "\(answer.bodyText)")
        try await world.perform("mail anna@example.com")
        return world
    }

    private func target(of world: FixtureWorld) throws -> (host: String, target: String) {
        let link = try #require(world.variables["link"]).dropFirst("https://".count)
        let slash = try #require(link.firstIndex(of: "/"))
        return (String(link[..<slash]), String(link[slash...]))
    }

    private func get(
        _ target: String, host: String, _ more: [(String, String)] = [], method: HTTPMethod = .get, in world: FixtureWorld
    ) async -> HTTPResponse {
        await world.answer(HTTPRequest(method: method, target: target, headers: HTTPHeaders([("Host", host)] + more)))
    }

    private static let agents = [
        "", "AASA-Bot/1.0.0", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1",
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/124 Mobile", "Mozilla/5.0 (compatible; MSIE 9.0) ms-office", "curl/8", "<script>",
    ]

    @Test(arguments: kinds)
    func looksTheSameToEverybodyAndChangesNothing(_ kind: String) async throws {
        let world = try await world(mailing: kind)
        let (host, target) = try target(of: world)
        let before = try await world.look()
        let first = await get(target, host: host, in: world)
        for agent in Self.agents {
            for method in [HTTPMethod.get, .head, .options] {
                let answer = await get(
                    target, host: host, [("User-Agent", agent), ("Accept-Language", "de"), ("Cookie", "a=b"), ("Purpose", "prefetch")],
                    method: method, in: world)
                if method == .get {
                    #expect(answer.bodyText == first.bodyText && answer.status == first.status)
                    #expect(answer.headers.pairs.map { "\($0)" } == first.headers.pairs.map { "\($0)" })
                }
                #expect(answer.status < 400)
                #expect(answer.headers["Set-Cookie"] == nil)
                for secret in ["idToken", "refreshToken", "eyJ"] { #expect(!answer.bodyText.contains(secret)) }
            }
        }
        // URLs inside the URL, as scanners find them.
        for inner in HTTPRequest(target: target).queryItems().compactMap(\.value) where inner.hasPrefix("https://auth.example.com/") {
            _ = await get(String(inner.dropFirst("https://auth.example.com".count)), host: "auth.example.com", in: world)
        }
        #expect(try await world.look() == before)
    }

    @Test(arguments: kinds)
    func takesNothingFromHostHeaders(_ kind: String) async throws {
        let world = try await world(mailing: kind)
        let (host, target) = try target(of: world)
        let first = await get(target, host: host, in: world)
        let hostile = [
            ("X-Forwarded-Host", "evil.test"), ("Forwarded", "host=evil.test;proto=http"), ("X-Original-Host", "evil.test"),
            ("X-Forwarded-Proto", "http"), ("X-Forwarded-Port", "666"), ("X-Original-URL", "/evil"), ("Origin", "https://evil.test"),
            ("Referer", "https://evil.test/"),
        ]
        let answer = await get(target, host: host, hostile, in: world)
        #expect(answer.bodyText == first.bodyText && answer.headers["Location"] == first.headers["Location"])
        for other in [
            "evil.test", "\(host).evil.test", "evil.test:443", "\(host)@evil.test", "evil.test/\(host)", "", "\(host)%00.evil.test", ".",
        ] {
            let answer = await get(target, host: other, in: world)
            #expect((400..<500).contains(answer.status), "\(other): \(answer.status)")
            #expect(answer.headers["Location"] == nil && !answer.bodyText.contains("evil"), "\(other)")
        }
        // A port changes nothing that is said.
        let ported = await get(target, host: host + ":8443", in: world)
        #expect(ported.bodyText == first.bodyText && !ported.bodyText.contains("8443"))
    }

    private struct Case: Decodable {
        var url: String
        var verdict: String
    }

    private static let cases = Result {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "ActionCodesTests/Fixtures/continue-url-cases.json"))
        return try JSONDecoder().decode([Case].self, from: data)
    }

    /// The list of hosts may have changed since the mail went out.
    @Test func looksAtTheListOfHostsAgain() async throws {
        var accepted = 0
        for one in try Self.cases.get() where one.verdict == "accept" {
            accepted += 1
            let world = try await world(mailing: "signIn", continueURL: one.url)
            let (host, target) = try target(of: world)
            let good = await get(target, host: host, in: world)
            #expect(
                good.status == 303 && good.headers["Location"]?.hasPrefix(one.url.prefix { $0 != "?" && $0 != "#" }) == true, "\(one.url)")
            try await world.perform("authorized elsewhere.example")
            let bad = await get(target, host: host, in: world)
            #expect(bad.status == 400 && bad.headers["Location"] == nil, "\(one.url)")
            #expect(!bad.bodyText.contains("<a ") && bad.headers["Content-Security-Policy"]?.contains("form-action 'self';") == true)
        }
        #expect(accepted >= 10)
    }

    /// No URL of the table gets in by changing a link, listed or not.
    @Test func noContinueURLGetsInAfterwards() async throws {
        let world = try await world(mailing: "signIn")
        let query = try #require(world.variables["query"])
        for one in try Self.cases.get() {
            for text in [PercentEncoding.encode(one.url), one.url.replacing("&", with: "%26")] {
                let bent = query.replacing(PercentEncoding.encode("https://example.com/done?a=1"), with: text)
                try #require(bent != query)
                let answer = await get("/__/auth/action?" + bent, host: "auth.example.com", in: world)
                #expect((400..<500).contains(answer.status) && answer.headers["Location"] == nil, "\(one.url)")
                #expect(!answer.bodyText.contains("<a "), "\(one.url)")
            }
        }
    }

    @Test func answersNonsenseWithAPage() async throws {
        let world = try await world(mailing: "app")
        let (_, target) = try target(of: world)
        let query = String(target.drop { $0 != "?" }.dropFirst())
        let web = try #require(world.variables["webQuery"])
        let long = String(repeating: "a", count: 10_000)
        let wrapped = "link=" + PercentEncoding.encode("https://links.example.com" + target)
        var queries = [
            "", "&", "=", "&&==&", "%", "%%", "%zz", "a=%f", "link", "link=", "link=%", "link=%zz", "link=%00", "link=%C3%28", "link=%FF",
            "apiKey", "apiKey=", "apiKey=%zz&mode=x", "apiKey=example-web-key", "apiKey=example-web-key&%00=%00",
            "link=https://evil.test/", "link=//evil.test", "link=javascript:alert(1)", long,
        ]
        queries += ["link=\(long)", "apiKey=example-web-key&continueUrl=\(long)", "\(query)&x=\(long)", "\(web)\(long)"]
        queries += [
            "link=\(query)", "link=\(web)", wrapped, "\(query)#x", "\(query)&utm_source=mail", "\(query)+", "\(query)%0d%0aLocation:x",
        ]
        queries += ["link=" + PercentEncoding.encode("https://links.example.com/__/auth/links?\(wrapped)")]
        queries += ["link=" + PercentEncoding.encode("https://evil.test/__/auth/action?\(web)"), "deep_link_id=\(query.dropFirst(5))"]
        queries += [String(query.dropLast()), String(query.dropFirst()), query.uppercased()]
        queries += [query.replacing("%", with: "%25"), web.replacing("=", with: "%3D")]
        for nonsense in queries {
            for path in ["/__/auth/links?", "/__/auth/action?"] where !(path.contains("links") && nonsense.hasPrefix(query + "#")) {
                let answer = await get(path + nonsense, host: "links.example.com", in: world)
                #expect(answer.status == 400, "\(path)\(nonsense.prefix(80))")
                #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8" && answer.headers["Location"] == nil)
                #expect(answer.headers["Cache-Control"] == "no-store" && answer.headers["Content-Security-Policy"] != nil)
                let page = answer.bodyText
                #expect(
                    page.contains("<h1>") && !page.contains("<a ") && !page.contains("<form") && !page.contains("evil"),
                    "\(nonsense.prefix(80))")
                #expect(!page.contains("aaaa") && page.utf8.count < 3000, "\(nonsense.prefix(80))")
            }
        }
    }
}
