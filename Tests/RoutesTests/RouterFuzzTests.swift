import HTTP
import TestSupport
import Testing

/// Requests of the fixtures, changed at random but the same on every run: whatever comes in, the answer is none of ours to be ashamed of.
@Suite struct RouterFuzzTests {
    private static let total = 20_000

    @Test func survivesAnything() async throws {
        let originals = try await Self.originals()
        #expect(originals.count > 500)
        for (seed, setup) in [(UInt64(1), "serve"), (2, "dev"), (3, "serve"), (4, "dev")] {
            try await survives(originals, setup: setup, seed: seed)
        }
    }

    private func survives(_ originals: [HTTPRequest], setup: String, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var world = try FixtureWorld(setup: setup, seed: seed)
        var statuses: [Int: Int] = [:]
        for number in 0..<Self.total / 4 {
            // A store that stays small, so that the time does not grow with the number.
            if number % 1000 == 999 { world = try FixtureWorld(setup: setup, seed: seed) }
            let request = Self.mutated(originals.randomElement(using: &generator) ?? originals[0], host: world.defaultHost, &generator)
            let response = await world.answer(request)
            statuses[response.status, default: 0] += 1
            guard response.status < 500 || response.status == 501, (200...599).contains(response.status) else {
                Issue.record("\(response.status) for \(request.method) \(request.target) \(request.headers.pairs) \(request.body)")
                return
            }
            if let location = response.headers["Location"] { #expect(!location.contains("evil")) }
        }
        // Mutations that never get past the door prove nothing.
        #expect(statuses[200, default: 0] > 100 && statuses[400, default: 0] > 500 && statuses[404, default: 0] > 10, "\(statuses)")
    }

    /// Every request of every fixture, as it was when its fixture ran.
    private static func originals() async throws -> [HTTPRequest] {
        var requests: [HTTPRequest] = []
        for file in try FixtureFile.all() {
            let world = try FixtureWorld(setup: file.setup)
            for step in file.steps {
                var times = 1
                for action in step.actions {
                    let action = try world.filled(action)
                    if action.hasPrefix("repeat ") { times = Int(action.dropFirst(7)) ?? 1 } else { try await world.perform(action) }
                }
                let request = try FixtureTests.request(step, in: world)
                requests.append(request)
                var response = await world.answer(request)
                for _ in 1..<times { response = await world.answer(request) }
                for (name, value) in step.expectedHeaders {
                    world.variables.merge(TextPattern(try world.filled(value)).match(response.headers[name] ?? "") ?? [:]) { $1 }
                }
                if let body = step.expectedBody, !body.hasPrefix("~"), !body.hasPrefix("!~") {
                    world.variables.merge(TextPattern(try world.filled(body)).match(response.bodyText) ?? [:]) { $1 }
                }
            }
        }
        return requests
    }

    private static let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .other("BREW")]
    private static let nasty: [[UInt8]] = [
        Array("\"".utf8), Array("{".utf8), Array("}".utf8), Array("[".utf8), Array("%".utf8), Array("%00".utf8), Array("%2F..%2F".utf8),
        Array("&".utf8), Array("=".utf8), Array("?".utf8), Array("//".utf8), Array("..".utf8), Array(":".utf8), Array("\\u0000".utf8),
        Array("\\ud800".utf8), Array("null".utf8), Array("1e999".utf8), Array("-9223372036854775809".utf8), Array("e\u{301}".utf8),
        Array("\u{1F469}\u{200D}\u{1F692}".utf8), [0], [0x0D, 0x0A], [0xFF], [0xC3], Array("https://evil.test".utf8),
        Array(repeating: 0x5B, count: 600), Array(repeating: 0x41, count: 5000),
    ]

    private static func mutated(_ original: HTTPRequest, host: String, _ generator: inout SeededGenerator) -> HTTPRequest {
        var method = original.method
        var target = Array(original.target.utf8)
        var headers = original.headers
        var body = original.body
        // Fixtures of the other mode name hosts that this one does not know.
        if Int.random(in: 0..<4, using: &generator) > 0 { headers.set("Host", host) }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: method = methods.randomElement(using: &generator) ?? .get
            case 1, 2: mutate(&target, &generator)
            case 3:
                guard let field = headers.pairs.randomElement(using: &generator) else { continue }
                var value = Array(field.value.utf8)
                mutate(&value, &generator)
                headers.set(field.name, String(decoding: value, as: UTF8.self))
            case 4:
                guard let field = headers.pairs.randomElement(using: &generator) else { continue }
                headers.remove(field.name)
            default: mutate(&body, &generator)
            }
        }
        // The server takes a target only when it is UTF-8.
        return HTTPRequest(method: method, target: String(decoding: target, as: UTF8.self), headers: headers, body: body)
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &generator)))
        case 3: bytes.removeLast(bytes.count - place)
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 1...32, using: &generator)), at: place)
        default: bytes.insert(contentsOf: nasty.randomElement(using: &generator) ?? [], at: place)
        }
    }
}
