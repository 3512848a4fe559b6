internal import COpenSSL

/// A secret key for HMAC, wiped from memory when its last copy goes and never printed.
public struct SymmetricKey: Sendable {
    private let storage: Storage

    /// Takes the key's bytes; 32 random ones are right for SHA-256 (RFC 2104 §3).
    ///
    /// - Precondition: not empty. A tag under an empty key can be made by everybody.
    public init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a symmetric key must not be empty")
        storage = Storage(bytes)
    }

    /// Lends the key's bytes; a copy made of them is not wiped.
    package func withBytes<Result, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    /// HMAC-SHA-256 with this key already absorbed.
    var hmac: HMACState { storage.hmac }

    /// `@unchecked Sendable`: `bytes` changes in `deinit` only, which runs once, after the last user.
    private final class Storage: @unchecked Sendable {
        private(set) var bytes: [UInt8]
        let hmac: HMACState

        init(_ bytes: [UInt8]) {
            // A buffer of our own: wiping one that is shared with the caller's array would wipe a fresh copy instead.
            self.bytes = []
            self.bytes.reserveCapacity(bytes.count)
            self.bytes.append(contentsOf: bytes)
            hmac = HMACState(key: bytes)
        }

        deinit {
            unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
        }
    }
}

extension SymmetricKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }

    /// Shows no children, so `dump` and test failures print no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
