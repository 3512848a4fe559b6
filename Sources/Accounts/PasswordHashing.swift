public import Crypto
internal import Platform

/// Hashes passwords on threads of its own, few at a time: each hash takes some 0.1 s of one core and 32 MiB.
public final class PasswordHashing: Sendable {
    /// The fewest characters that a password may have, as UTF-16 counts them.
    public static let minimumLength = 6

    private let executor: BlockingExecutor
    private let cost: PasswordHash.Cost
    private let randomness: Randomness
    /// What stands in for the hash of an account that has none, at the cost of new hashes.
    private let decoy: String

    /// Starts `limit` threads (default 2); that many passwords are hashed at once and the rest waits in order.
    public init(atOnce limit: Int = 2, cost: PasswordHash.Cost = .default, randomness: Randomness = .system) {
        executor = BlockingExecutor(name: "scrypt", threads: limit)
        self.cost = cost
        decoy = PasswordHash.decoy(cost: cost).encoded
        self.randomness = randomness
    }

    /// The encoded hash of a new password, for `User.passwordHash`.
    ///
    /// - Throws: `crypto`.
    public func hash(_ password: String) async throws(AccountError) -> String {
        do throws(CryptoError) {
            return try await executor.run { [cost, randomness] () throws(CryptoError) in
                try PasswordHash.make(password, randomness: randomness, cost: cost).encoded
            }
        } catch {
            throw .crypto(error)
        }
    }

    /// Whether a password is the one of a stored hash. Without a hash, or with one that cannot be read, the answer is no and takes as long.
    ///
    /// - Throws: `crypto`.
    public func matches(_ password: String, hash encoded: String?) async throws(AccountError) -> Bool {
        do throws(CryptoError) {
            return try await executor.run { [decoy] () throws(CryptoError) in
                let stored = PasswordHash(encoded: encoded ?? decoy)
                guard let hash = stored ?? PasswordHash(encoded: decoy) else { return false }
                // Both are looked at, whatever the first one says.
                let isMatch = try hash.matches(password)
                return isMatch && encoded != nil && stored != nil
            }
        } catch {
            throw .crypto(error)
        }
    }

    /// Finishes what was handed in and ends the threads. Blocks; call once, at the end.
    public func shutDown() {
        executor.shutDown()
    }
}
