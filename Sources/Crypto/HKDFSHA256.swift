internal import COpenSSL

/// HKDF with SHA-256 (RFC 5869): many independent keys from one secret.
public enum HKDFSHA256 {
    /// The key for one purpose; different labels give unrelated keys.
    ///
    /// The salt is empty and the label is RFC 5869's `info`.
    /// - Parameters:
    ///   - secret: at least 16 bytes from a random source, never a password.
    ///   - label: names the purpose, 1024 bytes at most. Changing it changes the key.
    ///   - count: bytes wanted, 1 to 8160; 32 by default.
    /// - Precondition: the secret is not empty, since keys from an empty one can be made by everybody.
    public static func derive(secret: [UInt8], label: String, count: Int = 32) -> SymmetricKey {
        SymmetricKey(derive(secret: secret, salt: [], info: Array(label.utf8), count: count))
    }

    /// All of RFC 5869's inputs, for its test vectors.
    static func derive(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(!secret.isEmpty, "a key must not be derived from an empty secret")
        precondition((1...255 * SHA256.byteCount).contains(count), "HKDF-SHA-256 gives 1 to 8160 bytes")
        precondition(info.count <= 1024, "the label is too long")

        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else { preconditionFailure("this OpenSSL has no HKDF") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let isReady =
            unsafe EVP_PKEY_derive_init(context) == 1
            && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1
            && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1
            && EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1
        precondition(isReady, "HKDF-SHA-256 could not be set up")
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = count
            let isDone = unsafe EVP_PKEY_derive(context, buffer.baseAddress, &initialized) == 1
            precondition(isDone && initialized == count, "HKDF-SHA-256 failed")
        }
    }
}
