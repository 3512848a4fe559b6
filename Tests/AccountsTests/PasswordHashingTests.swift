import Crypto
import Synchronization
import Testing

@testable import Accounts

@Suite struct PasswordHashingTests {
    @Test func hashes() async throws {
        let hashing = PasswordHashing(cost: .minimal)
        defer { hashing.shutDown() }
        let encoded = try await hashing.hash("secret")
        #expect(try #require(PasswordHash(encoded: encoded)).matches("secret"))
        #expect(try await hashing.hash("secret") != encoded)
    }

    @Test func matchesOnlyThePasswordOfAHash() async throws {
        let hashing = PasswordHashing(cost: .minimal)
        defer { hashing.shutDown() }
        let encoded = try await hashing.hash("secret")
        #expect(try await hashing.matches("secret", hash: encoded))
        #expect(try await !hashing.matches("Secret", hash: encoded))
        for stored in [nil, "", "secret", "$scrypt$", PasswordHash.decoy(cost: .minimal).encoded] {
            for password in ["", "secret", "postern decoy hash"] {
                #expect(try await !hashing.matches(password, hash: stored))
            }
        }
    }

    @Test func noMoreAtOnceThanAllowed() async throws {
        let running = Mutex((now: 0, most: 0))
        // The salt is drawn on the hashing thread, so a slow source shows who is at work together.
        let source = Randomness { count in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            _ = PasswordHash.slowly()
            running.withLock { $0.now -= 1 }
            return [UInt8](repeating: 1, count: count)
        }
        let hashing = PasswordHashing(cost: .minimal, randomness: source)
        defer { hashing.shutDown() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 { group.addTask { _ = try await hashing.hash("secret") } }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 2)
    }
}

extension PasswordHash {
    /// Some milliseconds of work.
    fileprivate static func slowly() -> PasswordHash? {
        PasswordHash.Cost(logN: 11, r: 8, p: 1).flatMap { try? PasswordHash.make("x", randomness: .seeded(1), cost: $0) }
    }
}
