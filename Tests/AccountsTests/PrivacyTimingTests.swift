import Crypto
import Mail
import Platform
import Testing

@testable import Accounts

/// Known and unknown addresses must not differ in time with privacy on. Pairs of requests, one of each kind, run one after the other, and
/// the two sets of times are compared by rank, which no single slow request can bend.
@Suite(.serialized) struct PrivacyTimingTests {
    private static let pairs = 2000
    /// How far from even chances the statistic may lie. By chance it lies within 0.03 nearly always; a difference that is a tenth of the
    /// usual spread of the times moves it by some 0.03.
    private static let tolerance = 0.12

    private let fixture: AccountFixture
    /// Cheap enough for thousands, dear enough to be most of the work.
    private let passwords: PasswordHashing

    init() async throws {
        fixture = try AccountFixture()
        passwords = PasswordHashing(atOnce: 1, cost: try #require(PasswordHash.Cost(logN: 7, r: 8, p: 1)))
        let hash = try await passwords.hash("right password")
        for number in 0..<200 {
            try fixture.addUser("known\(number)") { user in
                user.email = try EmailAddress("known\(number)@example.com")
                user.passwordHash = number % 4 == 3 ? nil : hash
            }
        }
    }

    /// The chance that a request for a known address takes longer than one for an unknown address; 0.5 when time tells nothing
    /// (the statistic of Mann and Whitney, divided by the number of pairs of times).
    private func chanceThatKnownIsSlower(
        pairs: Int, _ request: (_ email: String, _ isKnown: Bool) async throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        var times: [(time: Duration, isKnown: Bool)] = []
        for number in -50..<pairs {
            // Which comes first changes, so that neither kind is always the one with warm caches.
            for isKnown in number.isMultiple(of: 2) ? [true, false] : [false, true] {
                let email = "\(isKnown ? "known" : "other")\((number + 200) % 200)@example.com"
                let start = clock.now
                try await request(email, isKnown)
                if number >= 0 { times.append((clock.now - start, isKnown)) }
            }
        }
        times.sort { $0.time < $1.time }
        var unknownBefore = 0
        var wins = 0
        for entry in times {
            if entry.isKnown { wins += unknownBefore } else { unknownBefore += 1 }
        }
        return Double(wins) / Double(pairs) / Double(pairs)
    }

    private func signIn(_ email: String) async throws {
        let use = SignInWithPassword(
            store: fixture.store, policy: fixture.policy, issuer: fixture.issuer, passwords: passwords, clock: fixture.clock.wall,
            randomness: fixture.randomness)
        let refusal = await refusal { try await use.signIn(.init(email: email, password: "wrong password")) }
        #expect(refusal == .invalidLoginCredentials)
    }

    private func createAuthURI(_ email: String) async throws {
        let use = CreateAuthURI(store: fixture.store, policy: fixture.policy, randomness: fixture.randomness)
        _ = try await use(.init(identifier: email, continueURI: "http://localhost", sessionID: nil))
    }

    @Test(.timeLimit(.minutes(1))) func signInWithPassword() async throws {
        defer { passwords.shutDown() }
        let chance = try await chanceThatKnownIsSlower(pairs: Self.pairs) { email, _ in try await signIn(email) }
        print("signInWithPassword: P(known slower) = \(chance)")
        #expect(abs(chance - 0.5) < Self.tolerance)
    }

    @Test(.timeLimit(.minutes(1))) func createAuthURI() async throws {
        defer { passwords.shutDown() }
        let chance = try await chanceThatKnownIsSlower(pairs: Self.pairs) { email, _ in try await createAuthURI(email) }
        print("createAuthUri: P(known slower) = \(chance)")
        #expect(abs(chance - 0.5) < Self.tolerance)
    }

    /// The measurement sees what it is there to see: 2 ms more for known addresses.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func aLeakShows(ofSignIn: Bool) async throws {
        defer { passwords.shutDown() }
        let chance = try await chanceThatKnownIsSlower(pairs: 200) { email, isKnown in
            if ofSignIn { try await signIn(email) } else { try await createAuthURI(email) }
            if isKnown { try await Task.sleep(for: .milliseconds(2)) }
        }
        print("with a leak of 2 ms: P(known slower) = \(chance)")
        #expect(abs(chance - 0.5) >= 0.4)
    }
}
