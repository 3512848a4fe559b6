import HTTP
import Mail
import Testing

@testable import Routes

@Suite struct InboxRoutesTests {
    private let inbox = Inbox()
    private let routes: InboxRoutes

    init() throws {
        routes = InboxRoutes(inbox: inbox, files: try DevelopmentFiles(hosting: DevelopmentFilesTests.hosting))
    }

    private func answer(_ path: String, method: HTTPMethod = .get, headers: [(String, String)] = []) throws -> HTTPResponse {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let route = try #require(DevelopmentRoute(segments))
        return try routes.respond(route, to: HTTPRequest(method: method, target: path, headers: HTTPHeaders(headers)))
    }

    private func catchMail(_ bytes: [UInt8], to recipient: String = "ann@example.org") throws {
        inbox.add(project: "demo", envelope: try Samples.envelope(to: recipient), receivedAt: Samples.time, bytes: bytes)
    }

    @Test func listsMailsOldestFirst() throws {
        #expect(try answer("/_postern/inbox.json").text == "[]")
        try catchMail(
            Samples.message(
                """
                From: Example <noreply@example.com>
                Subject: =?utf-8?q?=E2=80=9CHi=E2=80=9D_"there"?=
                X-Twice: first
                x-twice: second
                Content-Type: multipart/alternative; boundary=b

                --b

                Open https://a.example/__/auth/action?oobCode=1
                --b
                Content-Type: text/html

                <a>
                --b--
                """))
        try catchMail(Samples.message("\nbare"), to: "bob@example.net")
        let response = try answer("/_postern/inbox.json")
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(
            response.text == """
                [{"id":"1","project":"demo","from":"noreply@example.com","to":"ann@example.org","subject":"“Hi” \\"there\\"",\
                "receivedAt":"2025-11-30T22:27:56.000Z","headers":{"From":"Example <noreply@example.com>","Subject":"“Hi” \\"there\\"",\
                "X-Twice":"first","Content-Type":"multipart/alternative; boundary=b"},\
                "text":"Open https://a.example/__/auth/action?oobCode=1","html":"<a>",\
                "link":"https://a.example/__/auth/action?oobCode=1"},\
                {"id":"2","project":"demo","from":"noreply@example.com","to":"bob@example.net","subject":"",\
                "receivedAt":"2025-11-30T22:27:56.000Z","headers":{},"text":"bare"}]
                """)
    }

    @Test func saysWhenNothingIsNew() throws {
        try catchMail(Samples.base64)
        let tag = try #require(try answer("/_postern/inbox.json").headers["ETag"])
        let again = try answer("/_postern/inbox.json", headers: [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.text.isEmpty)
        try catchMail(Samples.base64)
        #expect(try answer("/_postern/inbox.json", headers: [("If-None-Match", tag)]).status == 200)
    }

    @Test func givesTheExactBytes() throws {
        let bytes: [UInt8] = Array("A: b\r\n\r\n".utf8) + [0, 0xFF, 0x0D]
        try catchMail(bytes)
        let response = try answer("/_postern/inbox/1.eml")
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "message/rfc822")
        #expect(response.headers["Content-Disposition"] == "inline; filename=\"mail-1.eml\"")
        #expect(response.headers["Content-Security-Policy"]?.hasSuffix("; sandbox") == true)
        guard case .bytes(let sent) = response.body else { throw Missing.bytes }
        #expect(sent == bytes)
    }

    private enum Missing: Error { case bytes }

    @Test(arguments: ["2.eml", "0.eml", "01.eml", "x.eml", ".eml", "2.html", "1.html", "..eml"])
    func unknownMailsAreNotFound(name: String) throws {
        try catchMail(Samples.base64)
        let response = try answer("/_postern/inbox/" + name)
        #expect(response.status == 404)
        #expect(response.text.contains("\"code\": 404"))
        expectSecured(response)
    }

    @Test(
        arguments: [
            [], [("Host", "127.0.0.1:9099"), ("Origin", "http://127.0.0.1:9099")], [("Sec-Fetch-Site", "same-origin")],
            [("Sec-Fetch-Site", "none")],
            [("Host", "LOCALHOST:9099"), ("Origin", "http://localhost:9099"), ("Sec-Fetch-Site", "same-origin")],
        ] as [[(String, String)]])
    func programsAndItsOwnPageEmptyIt(headers: [(String, String)]) throws {
        try catchMail(Samples.base64)
        let response = try answer("/_postern/inbox.json", method: .delete, headers: headers)
        #expect(response.status == 200)
        #expect(response.text == "{}")
        #expect(inbox.count == 0)
        expectSecured(response)
    }

    @Test(
        arguments: [
            [("Host", "127.0.0.1:9099"), ("Origin", "https://evil.example")], [("Host", "127.0.0.1:9099"), ("Origin", "null")],
            [("Host", "127.0.0.1:9099"), ("Origin", "http://127.0.0.1:3000")],
            [("Host", "127.0.0.1:9099"), ("Origin", "http://127.0.0.1")],
            [("Host", "127.0.0.1:9099"), ("Origin", "")], [("Origin", "http://")], [("Host", ""), ("Origin", "http://")],
            [("Host", "localhost"), ("Origin", "http://localhost.evil.example")], [("Sec-Fetch-Site", "cross-site")],
            [("Sec-Fetch-Site", "same-site")], [("Host", "a"), ("Origin", "http://a"), ("Sec-Fetch-Site", "cross-site")],
        ] as [[(String, String)]])
    func otherSitesDoNotEmptyIt(headers: [(String, String)]) throws {
        try catchMail(Samples.base64)
        let response = try answer("/_postern/inbox.json", method: .delete, headers: headers)
        #expect(response.status == 403)
        #expect(response.text.contains("\"PERMISSION_DENIED\""))
        #expect(inbox.count == 1)
        expectSecured(response)
    }

    @Test func hostileHTMLIsServedUnderItsSandboxOnly() throws {
        let hostile = "<script>alert(1)</script><base href=//evil.example><img src=http://evil.example/p onerror=alert(2)>"
        try catchMail(Array("Subject: <img src=x onerror=alert(3)>\r\nContent-Type: text/html\r\n\r\n\(hostile)".utf8))
        let response = try answer("/_postern/inbox/1.html")
        #expect(response.status == 200)
        #expect(response.text == hostile)
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(
            response.headers["Content-Security-Policy"]
                == "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
        )
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        #expect(response.headers["Referrer-Policy"] == "no-referrer")
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["X-DNS-Prefetch-Control"] == "off")
        // Everything else that holds it is not HTML; the pages hold nothing of any mail.
        for path in ["/_postern/inbox.json", "/_postern/inbox/1.eml"] {
            #expect(try answer(path).headers["Content-Type"]?.contains("html") == false)
        }
        guard case .static(let page) = try answer("/_postern/inbox/1").body else { throw Missing.bytes }
        #expect(page === routes.files.page)
    }

    @Test(arguments: [
        ("/_postern/", 200, "text/html; charset=utf-8"), ("/_postern/inbox/1", 200, "text/html; charset=utf-8"),
        ("/_postern/inbox/2", 404, "text/html; charset=utf-8"), ("/_postern/inbox.js", 200, "text/javascript; charset=utf-8"),
        ("/_postern/style.css", 200, "text/css; charset=utf-8"), ("/_postern/inbox.json", 200, "application/json"),
    ])
    func pagesAndFiles(path: String, status: Int, type: String) throws {
        try catchMail(Samples.base64)
        let response = try answer(path)
        #expect(response.status == status)
        #expect(response.headers.all("Content-Type") == [type])
        expectSecured(response)
    }

    @Test func otherRoutesAreNotItsOwn() {
        #expect(throws: APIError.self) { try answer("/") }
    }

    private func expectSecured(_ response: HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = [
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        for (name, value) in expected { #expect(response.headers.all(name) == [value], sourceLocation: sourceLocation) }
        #expect(response.headers["Access-Control-Allow-Origin"] == nil, sourceLocation: sourceLocation)
    }
}
