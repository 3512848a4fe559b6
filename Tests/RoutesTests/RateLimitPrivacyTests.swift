import HTTP
import Routes
import TestSupport
import Testing

/// Limits must not tell who has an account: whatever is asked for in whatever order, the answers for an address with an account and for one
/// without are the same, refusals and their times included.
@Suite struct RateLimitPrivacyTests {
    private struct Answer: Equatable, CustomStringConvertible {
        let status: Int
        let headers: [String]
        let body: String
        var description: String { "\(status) \(headers) \(body)" }
    }

    /// What differs by chance or by the address alone is taken out.
    private func ask(_ world: FixtureWorld, _ method: String, _ body: String, email: String) async -> Answer {
        let request = HTTPRequest(
            method: .post, target: "/v1/accounts:\(method)?key=example-web-key",
            headers: HTTPHeaders([("Host", world.defaultHost), ("Content-Type", "application/json")]),
            body: Array(body.replacing("<email>", with: email).utf8), remoteAddress: world.peer)
        let response = await world.answer(request)
        var text = response.bodyText.replacing(email, with: "<email>")
        if let session = text.firstRange(of: #""sessionId":""#) { text.removeSubrange(session.upperBound...) }
        return Answer(status: response.status, headers: response.headers.pairs.map { "\($0.name): \($0.value)" }, body: text)
    }

    private static let calls: [(method: String, body: String)] = [
        ("sendOobCode", #"{"requestType":"EMAIL_SIGNIN","email":"<email>","continueUrl":"https://example.com/"}"#),
        ("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"<email>"}"#),
        ("signInWithPassword", #"{"email":"<email>","password":"wrong password"}"#),
        ("createAuthUri", #"{"identifier":"<email>","continueUri":"http://localhost"}"#),
    ]

    @Test func knownAndUnknownAddressesMeetTheSameLimits() async throws {
        var generator = SeededGenerator(seed: 11)
        // Two worlds that see the same calls at the same times; only one knows the address.
        let worlds = [try FixtureWorld(setup: "serve"), try FixtureWorld(setup: "serve")]
        for world in worlds {
            try await world.perform("limits perAddress=3/10m perClient=8/10m perProject=40/1h passwordAttempts=2/10m")
        }
        try await worlds[0].perform("user person@example.com verified password named")
        var refused = 0
        var accepted = 0
        for _ in 0..<400 {
            guard let call = Self.calls.randomElement(using: &generator) else { return }
            let seconds = Int.random(in: 0..<60, using: &generator)
            let peer = Int.random(in: 1...3, using: &generator)
            var answers: [Answer] = []
            for world in worlds {
                try await world.perform("wait \(seconds)s")
                try await world.perform("peer 192.0.2.\(peer)")
                answers.append(await ask(world, call.method, call.body, email: "person@example.com"))
            }
            #expect(answers[0] == answers[1], "\(call)")
            if answers[0].body.contains("TOO_MANY_ATTEMPTS_TRY_LATER") {
                refused += 1
                #expect(answers[0].headers.contains { $0.hasPrefix("Retry-After: ") })
            } else {
                accepted += 1
            }
        }
        // Otherwise nothing was compared.
        #expect(refused > 100 && accepted > 100, "\(refused) \(accepted)")
    }

    /// Guesses at the same time are no way around the limit.
    @Test func guessesAtTheSameTimeAreCounted() async throws {
        let world = try FixtureWorld(setup: "serve")
        try await world.perform("limits passwordAttempts=3/10m")
        let router = try #require(world.router)
        let request = HTTPRequest(
            method: .post, target: "/v1/accounts:signInWithPassword?key=example-web-key",
            headers: HTTPHeaders([("Host", world.defaultHost), ("Content-Type", "application/json")]),
            body: Array(#"{"email":"anna@example.com","password":"wrong"}"#.utf8))
        let guesses = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { await router.respond(to: request).bodyText.contains("INVALID_LOGIN_CREDENTIALS") } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(guesses == 3)
    }
}
