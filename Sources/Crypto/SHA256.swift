internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    static let byteCount = 32

    /// The 32-byte digest.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let isDone = unsafe EVP_Digest(bytes, bytes.count, buffer.baseAddress, nil, algorithm.pointer, nil) == 1
            precondition(isDone, "SHA-256 failed")
            count = byteCount
        }
    }

    /// The algorithm, looked up once, since the look-up costs more than a short digest; it lives as long as the process.
    ///
    /// `@unchecked Sendable`: a fetched algorithm is immutable and reference-counted atomically.
    @safe private struct Algorithm: @unchecked Sendable {
        let pointer: OpaquePointer

        init() {
            guard let pointer = unsafe EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("this OpenSSL has no SHA-256") }
            unsafe self.pointer = pointer
        }
    }

    private static let algorithm = Algorithm()
}
