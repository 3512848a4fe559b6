internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104, RFC 6234).
public enum HMACSHA256 {
    /// The 32-byte tag of the parts, taken as one message without separators.
    ///
    /// Where the parts vary in length the caller must make the border unambiguous: `["ab", "c"]` and `["a", "bc"]` have the same tag.
    public static func tag(_ parts: [UInt8]..., key: SymmetricKey) -> [UInt8] {
        key.hmac.tag(parts)
    }
}

/// An HMAC context that has absorbed its key and is only ever copied.
///
/// Copying costs half of what OpenSSL's one-shot `HMAC()` does, which in 3.0 looks the algorithm up by name on every call.
///
/// `@unchecked Sendable`:
/// 1. The context is set up in `init`, before anybody else can see it, and never written again.
/// 2. `EVP_MAC_CTX_dup` only reads its argument; the reference counts that it raises are atomic.
/// 3. `deinit` runs once, after the last user.
@safe final class HMACState: @unchecked Sendable {
    private let context: OpaquePointer

    init(key: [UInt8]) {
        guard let context = unsafe EVP_MAC_CTX_new(Self.algorithm.pointer) else { preconditionFailure("out of memory for HMAC") }
        let isReady = unsafe Array("SHA256\0".utf8CString).withUnsafeBufferPointer { name in
            let parameters = unsafe [
                // OpenSSL only reads the name, although the parameter is declared mutable.
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, UnsafeMutablePointer(mutating: name.baseAddress), 0),
                OSSL_PARAM_construct_end(),
            ]
            return unsafe EVP_MAC_init(context, key, key.count, parameters) == 1
        }
        // The algorithm is there and the key is not empty, so only memory can fail; a tag under no key must never come out.
        precondition(isReady, "HMAC-SHA-256 could not be set up")
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    func tag(_ parts: [[UInt8]]) -> [UInt8] {
        guard let copy = unsafe EVP_MAC_CTX_dup(context) else { preconditionFailure("out of memory for HMAC") }
        defer { unsafe EVP_MAC_CTX_free(copy) }
        for part in parts {
            let isAbsorbed = unsafe EVP_MAC_update(copy, part, part.count) == 1
            precondition(isAbsorbed, "HMAC-SHA-256 failed")
        }
        return unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            let isDone = unsafe EVP_MAC_final(copy, buffer.baseAddress, &count, buffer.count) == 1
            precondition(isDone && count == SHA256.byteCount, "HMAC-SHA-256 failed")
        }
    }

    /// The algorithm, looked up once; it lives as long as the process.
    ///
    /// `@unchecked Sendable`: a fetched algorithm is immutable and reference-counted atomically.
    @safe private struct Algorithm: @unchecked Sendable {
        let pointer: OpaquePointer

        init() {
            guard let pointer = unsafe EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil) else {
                preconditionFailure("this OpenSSL has no HMAC")
            }
            unsafe self.pointer = pointer
        }
    }

    private static let algorithm = Algorithm()
}
