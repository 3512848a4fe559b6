internal import COpenSSL

/// Whether the byte strings are equal, in time that depends on their length only.
///
/// Different lengths are unequal at once: lengths of tags and digests are no secret.
public func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe CRYPTO_memcmp(a, b, a.count) == 0
}
