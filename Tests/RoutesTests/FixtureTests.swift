import ActionCodes
import FoundationEssentials
import HTTP
import Testing

/// Every file of `Fixtures/**/*.http` against the routes, without a socket.
@Suite struct FixtureTests {
    private static let files = Result { try FixtureFile.all() }

    @Test func thereAreFixtures() throws {
        #expect(try Self.files.get().count >= 30)
    }

    @Test(arguments: (try? files.get()) ?? []) func fixture(_ file: FixtureFile) async throws {
        let world = try FixtureWorld(setup: file.setup)
        for step in file.steps {
            let place = Comment(rawValue: "\(file.name).http, line \(step.line)")
            do {
                try await run(step, in: world, place)
            } catch let problem as FixtureWorld.Problem {
                Issue.record("\(problem) in \(file.name).http, line \(step.line)")
                return
            }
        }
        // Neither codes nor addresses nor queries reach a log line (DESIGN.md §8.10).
        for line in world.log.all { #expect(!line.contains("oobCode") && !line.contains("@") && !line.contains("?"), "\(line)") }
    }

    private func run(_ step: FixtureFile.Step, in world: FixtureWorld, _ place: Comment) async throws {
        var times = 1
        for action in step.actions {
            let action = try world.filled(action)
            if action.hasPrefix("repeat ") { times = Int(action.dropFirst(7)) ?? 0 } else { try await world.perform(action) }
        }
        for _ in 0..<times {
            let request = try Self.request(step, in: world)
            let before = Self.isLooking(request) ? try await world.look() : nil
            let response = await world.answer(request)
            if let before { #expect(try await world.look() == before, "looking changed something; \(place)") }
            try check(response, step, in: world, place)
            checkAlways(response, to: request, place)
            if request.path.hasPrefix("/__/"), Self.isLooking(request) { await checkUnmoved(response, request, world, place) }
        }
    }

    static func request(_ step: FixtureFile.Step, in world: FixtureWorld) throws -> HTTPRequest {
        var headers = HTTPHeaders()
        for (name, value) in step.headers { headers.add(name, try world.filled(value)) }
        if headers["Host"] == nil { headers.add("Host", world.defaultHost) }
        return HTTPRequest(
            method: HTTPMethod(step.method), target: try world.filled(step.target), headers: headers,
            body: Array(try world.filled(step.body ?? "").utf8), remoteAddress: world.peer)
    }

    /// v3 lets every verb stand for POST.
    private static func isLooking(_ request: HTTPRequest) -> Bool {
        (request.method == .get || request.method == .head || request.method == .options) && !request.path.contains("relyingparty")
    }

    private func check(_ response: HTTPResponse, _ step: FixtureFile.Step, in world: FixtureWorld, _ place: Comment) throws {
        let body = response.bodyText
        #expect(response.status == step.status, "\(place)\n\(body)")
        for (name, value) in step.expectedHeaders {
            let actual = response.headers.all(name)
            let captures = TextPattern(try world.filled(value)).match(actual.first ?? "")
            #expect(actual.count == 1 && captures != nil, "\(name): \(actual); \(place)")
            world.variables.merge(captures ?? [:]) { $1 }
        }
        for name in step.absentHeaders { #expect(response.headers[name] == nil, "\(name); \(place)") }
        if let code = step.errorCode {
            #expect(body == Self.envelope(try world.filled(code), status: step.status), place)
            #expect(response.headers["Content-Type"] == "application/json; charset=utf-8", place)
        }
        guard let expected = step.expectedBody else { return }
        if expected == "<empty>" {
            #expect(body.isEmpty, place)
        } else if expected.hasPrefix("~ ") || expected.hasPrefix("!~ ") {
            for line in expected.split(separator: "\n") {
                let isWanted = line.hasPrefix("~ ")
                let text = try world.filled(String(line.dropFirst(isWanted ? 2 : 3)))
                #expect(body.contains(text) == isWanted, "\(line); \(place)\n\(body)")
            }
        } else {
            let captures = TextPattern(try world.filled(expected)).match(body)
            #expect(captures != nil, "\(place)\n\(body)")
            world.variables.merge(captures ?? [:]) { $1 }
        }
    }

    /// The ordinary envelope, byte for byte (wire-contract.md §2).
    private static func envelope(_ code: String, status: Int) -> String {
        """
        {
          "error": {
            "code": \(status),
            "message": "\(code)",
            "errors": [
              {
                "message": "\(code)",
                "reason": "invalid",
                "domain": "global"
              }
            ]
          }
        }
        """
    }

    /// What is true of every answer.
    private func checkAlways(_ response: HTTPResponse, to request: HTTPRequest, _ place: Comment) {
        let type = response.headers["Content-Type"] ?? ""
        if type.hasPrefix("text/html"), request.path.hasPrefix("/__/") || response.status == 303 {
            let policy = response.headers["Content-Security-Policy"] ?? ""
            // Where a form leads in the end may stand behind 'self' (hosting.md §4.3.4).
            #expect(policy.hasPrefix(Self.policy.start) && policy.hasSuffix(Self.policy.end), "\(policy); \(place)")
            for (name, value) in Self.pageHeaders { #expect(response.headers.all(name) == [value], "\(name); \(place)") }
            #expect(!response.bodyText.contains("<script"), place)
        }
        if type.hasPrefix("application/json") {
            #expect((try? JSONDecoder().decode(AnyJSON.self, from: Data(response.bodyText.utf8))) != nil, place)
        }
        if response.status >= 400, type.hasPrefix("application/json"), response.status != 405 {
            #expect(response.headers["Cache-Control"] == "no-store", place)
        }
        if let location = response.headers["Location"] {
            #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) }, place)
        }
        if response.status >= 500, response.status != 501 { #expect(!response.bodyText.contains("a detail for the log"), place) }
        #expect(response.headers.all("Access-Control-Allow-Credentials").isEmpty, place)
    }

    private static let policy = (
        start: "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'", end: "; frame-ancestors 'none'; base-uri 'none'"
    )
    private static let pageHeaders = [
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("X-Robots-Tag", "noindex, nofollow"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    /// No field that a proxy or an attacker adds changes where a page leads (hosting.md §4.3.6).
    private func checkUnmoved(_ response: HTTPResponse, _ request: HTTPRequest, _ world: FixtureWorld, _ place: Comment) async {
        var headers = request.headers
        for name in ["X-Forwarded-Host", "X-Forwarded-Server", "X-Original-Host", "X-Host"] { headers.add(name, "evil.test") }
        headers.add("Forwarded", "host=evil.test;proto=http")
        headers.add("X-Original-URL", "/__/auth/action?continueUrl=https://evil.test")
        headers.add("Referer", "https://evil.test/")
        headers.add("Origin", "https://evil.test")
        let again = await world.answer(HTTPRequest(method: request.method, target: request.target, headers: headers, body: request.body))
        #expect(again.status == response.status, place)
        #expect(again.headers["Location"] == response.headers["Location"], place)
        #expect(again.bodyText == response.bodyText, place)
        #expect(!again.bodyText.contains("evil.test/\""), place)
    }
}

/// Anything that is JSON.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            for key in container.allKeys { _ = try container.decode(AnyJSON.self, forKey: key) }
        } else if var container = try? decoder.unkeyedContainer() {
            while !container.isAtEnd { _ = try container.decode(AnyJSON.self) }
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}
