internal import COpenSSL

/// A password as it is stored: salted and hashed with scrypt (RFC 7914), and never printed.
public struct PasswordHash: Sendable {
    private let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    private static let saltCount = 16
    private static let hashCount = 32

    /// A fixed hash that no password has.
    ///
    /// Matching against it takes as long as matching a real one of the same cost, so an address without an account cannot be told by the
    /// time.
    public static func decoy(cost: Cost = .default) -> PasswordHash {
        PasswordHash(
            cost: cost,
            // Halves of digests of public texts: a password for them is as hard to find as a second preimage.
            salt: Array(SHA256.digest(Array("postern decoy salt".utf8)).prefix(saltCount)),
            hash: SHA256.digest(Array("postern decoy hash".utf8)))
    }

    /// Hashes a new password with a fresh salt.
    ///
    /// Takes some 0.1 s of one core and 32 MiB at the default cost, so it belongs on an executor for blocking work. The UTF-8 bytes are
    /// hashed as they came: canonically equal spellings are different passwords.
    /// - Throws: `passwordHashingFailed`.
    public static func make(_ password: String, randomness: Randomness, cost: Cost = .default) throws(CryptoError) -> PasswordHash {
        let salt = randomness.bytes(saltCount)
        let hash = try scrypt(Array(password.utf8), salt: salt, cost: cost, count: hashCount)
        return PasswordHash(cost: cost, salt: salt, hash: hash)
    }

    private init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Whether this is the password, at the cost that the hash was made with; in constant time for hashes of one cost.
    ///
    /// As slow as `make`.
    /// - Throws: `passwordHashingFailed`.
    public func matches(_ password: String) throws(CryptoError) -> Bool {
        constantTimeEquals(try Self.scrypt(Array(password.utf8), salt: salt, cost: cost, count: hash.count), hash)
    }

    static func scrypt(_ password: [UInt8], salt: [UInt8], cost: Cost, count: Int) throws(CryptoError) -> [UInt8] {
        var password = password
        defer { unsafe password.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }
        var isDone = false
        let hash = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // OpenSSL's own limit is 32 MiB, which the default cost passes by a little: without a limit given every call would fail.
            isDone =
                unsafe password.withUnsafeBytes { password in
                    unsafe EVP_PBE_scrypt(
                        password.baseAddress, password.count, salt, salt.count, 1 << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p),
                        UInt64(cost.memory), buffer.baseAddress, count)
                } == 1
            initialized = isDone ? count : 0
        }
        guard isDone else { throw .passwordHashingFailed(cause: OpenSSLErrors.drain()) }
        return hash
    }
}

extension PasswordHash: Equatable {
    /// Whether cost, salt and hash are the same; in constant time.
    public static func == (a: PasswordHash, b: PasswordHash) -> Bool {
        a.cost == b.cost && constantTimeEquals(a.salt, b.salt) && constantTimeEquals(a.hash, b.hash)
    }
}

extension PasswordHash {
    /// The stored form, `$scrypt$ln=15,r=8,p=1$salt$hash` with unpadded standard base64, as other scrypt libraries write it.
    ///
    /// It carries its cost, so costs can be raised for new hashes while old ones go on matching.
    public var encoded: String {
        let (salt, hash) = (Base64.encode(salt, alphabet: .standard), Base64.encode(hash, alphabet: .standard))
        return "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(salt)$\(hash)"
    }

    /// Reads the stored form; `nil` for anything that `encoded` would not write, and for costs past `Cost`'s limits.
    public init?(encoded: String) {
        let fields = encoded.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1] == "scrypt" else { return nil }
        let costs = fields[2].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3, let logN = Self.value(of: "ln=", in: costs[0]), let r = Self.value(of: "r=", in: costs[1]),
            let p = Self.value(of: "p=", in: costs[2]), let cost = Cost(logN: logN, r: r, p: p)
        else { return nil }
        // A short hash would match by chance, and an empty one always.
        guard let salt = Base64.decode(fields[3], alphabet: .standard), (8...64).contains(salt.count),
            let hash = Base64.decode(fields[4], alphabet: .standard), (16...64).contains(hash.count)
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
        // Leading zeros and signs in numbers: one spelling for one hash.
        guard self.encoded.utf8.elementsEqual(encoded.utf8) else { return nil }
    }

    private static func value(of name: String, in field: Substring) -> Int? {
        field.hasPrefix(name) ? Int(field.dropFirst(name.count)) : nil
    }
}

extension PasswordHash {
    /// What one hash costs in time and memory (RFC 7914 §2).
    public struct Cost: Sendable, Equatable {
        /// The binary logarithm of N, 1 to 20; each step doubles time and memory.
        public let logN: Int
        /// The block size, 1 to 32; memory is 128·N·r bytes.
        public let r: Int
        /// How often the work is done, one after the other, 1 to 16.
        public let p: Int

        /// N = 2^15, r = 8, p = 1: 32 MiB.
        public static let `default` = Cost(unchecked: 15, r: 8, p: 1)

        /// N = 2, r = 1, p = 1: no protection at all, for tests that do not test passwords.
        public static let minimal = Cost(unchecked: 1, r: 1, p: 1)

        /// `nil` outside the ranges above, past 256 MiB, or when N is not under 2^(16·r), as RFC 7914 demands.
        ///
        /// A stored cost is thus no way to exhaust the memory.
        public init?(logN: Int, r: Int, p: Int) {
            guard (1...20).contains(logN), (1...32).contains(r), (1...16).contains(p), logN < 16 * r else { return nil }
            guard (128 * r) << logN <= 256 << 20 else { return nil }
            self.init(unchecked: logN, r: r, p: p)
        }

        init(unchecked logN: Int, r: Int, p: Int) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// Bytes that OpenSSL asks for: the table of N, p blocks and two for work, of 128·r bytes each.
        var memory: Int { 128 * r * ((1 << logN) + p + 2) }
    }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`; `encoded` is the way out.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }

    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
