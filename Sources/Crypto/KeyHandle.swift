internal import COpenSSL

/// The one owner of an `EVP_PKEY`: RSA with 2048 bits or more, P-256, or Ed25519.
///
/// `@unchecked Sendable`:
/// 1. The key is complete before `init` returns; nothing here changes it later, and the pointer never leaves this file.
/// 2. OpenSSL lets many threads read one `EVP_PKEY`: its reference count is atomic, and its caches of exported keys, as RSA's blinding
///    factors, sit behind locks of their own (openssl-threads(7)).
/// 3. Every operation has its own context, freed before it returns.
/// 4. `deinit` runs once, after the last user.
@safe final class KeyHandle: @unchecked Sendable {
    let algorithm: SigningKey.Algorithm
    private let pointer: OpaquePointer

    /// Owns the key when it is of a kind that is accepted, and frees it when not.
    private init(owning pointer: OpaquePointer) throws(CryptoError) {
        do throws(CryptoError) {
            algorithm = try unsafe Self.algorithm(of: pointer)
        } catch {
            unsafe EVP_PKEY_free(pointer)
            throw error
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    static func generate(_ algorithm: SigningKey.Algorithm) throws(CryptoError) -> KeyHandle {
        let pointer =
            switch algorithm {
            case .rs256: unsafe postern_rsa_generate(2048)
            case .es256: unsafe postern_ec_generate("P-256")
            case .edDSA: unsafe postern_ed25519_generate()
            }
        guard let pointer = unsafe pointer else { throw .keyGenerationFailed(cause: OpenSSLErrors.drain()) }
        return try unsafe KeyHandle(owning: pointer)
    }

    /// The first private key in the text, PKCS#8 or traditional.
    convenience init(pem: String) throws(CryptoError) {
        let text = Array(pem.utf8)
        guard let count = Int32(exactly: text.count) else { throw .malformedKey(cause: "the text is too long") }
        var isEncrypted = false
        let pointer = unsafe text.withUnsafeBytes { text -> OpaquePointer? in
            guard let bio = unsafe BIO_new_mem_buf(text.baseAddress, count) else { return nil }
            defer { unsafe BIO_free(bio) }
            // Without a callback OpenSSL would ask on the terminal, and a service would hang at start. -1 refuses, where 0 would try "".
            return unsafe PEM_read_bio_PrivateKey(
                bio, nil,
                { _, _, _, wasAsked in
                    unsafe wasAsked?.storeBytes(of: true, as: Bool.self)
                    return -1
                }, &isEncrypted)
        }
        let cause = OpenSSLErrors.drain()
        guard let pointer = unsafe pointer else {
            if isEncrypted { throw .encryptedKey }
            let isPublic = ["PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"].contains { pem.contains("-----BEGIN \($0)-----") }
            throw isPublic ? .notPrivate : .malformedKey(cause: cause)
        }
        try unsafe self.init(owning: pointer)
    }

    /// The public half, from its SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    convenience init(subjectPublicKeyInfo: [UInt8]) throws(CryptoError) {
        let pointer = unsafe subjectPublicKeyInfo.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw .malformedKey(cause: OpenSSLErrors.drain()) }
        try unsafe self.init(owning: pointer)
    }

    private static func algorithm(of pointer: OpaquePointer) throws(CryptoError) -> SigningKey.Algorithm {
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 {
            let bits = unsafe Int(EVP_PKEY_get_bits(pointer))
            guard bits >= 2048 else { throw .weakKey(bits: bits) }
            return .rs256
        }
        if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .edDSA }
        guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else {
            throw .unsupportedKeyType(unsafe EVP_PKEY_get0_type_name(pointer).map { unsafe String(cString: $0) } ?? "unnamed")
        }
        var name = [CChar](repeating: 0, count: 64)
        let isNamed = unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, nil) == 1
        let curve = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        OpenSSLErrors.clear()
        guard isNamed, curve == "prime256v1" else { throw .unsupportedCurve(isNamed ? curve : "unnamed") }
        return .es256
    }

    // MARK: Signatures

    /// What is hashed with before signing; Ed25519 takes the message itself (RFC 8032 §5.1), and OpenSSL refuses a digest for it.
    private var digest: OpaquePointer? { unsafe algorithm == .edDSA ? nil : EVP_sha256() }

    /// The signature as OpenSSL makes it: PKCS#1 v1.5, DER for ECDSA, or 64 bytes for Ed25519.
    func signature(over message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe context != nil, unsafe EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1 else {
            throw .signingFailed(cause: OpenSSLErrors.drain())
        }
        let capacity = unsafe Int(EVP_PKEY_get_size(pointer))
        var isSigned = false
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = capacity
            isSigned = unsafe EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count) == 1
            if !isSigned { count = 0 }
        }
        guard isSigned else { throw .signingFailed(cause: OpenSSLErrors.drain()) }
        return signature
    }

    func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        // A signature that does not fit is an ordinary answer, but OpenSSL queues an error for it.
        defer { OpenSSLErrors.clear() }
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe context != nil, unsafe EVP_DigestVerifyInit(context, nil, digest, nil, pointer) == 1 else { return false }
        // 1 is valid; 0 and negative are not, so `!= 0` would accept a malformed signature.
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    // MARK: What leaves

    /// The private key as PKCS#8 (RFC 5958), without a passphrase.
    func pkcs8PEM() throws(CryptoError) -> String {
        try unsafe text(orThrow: CryptoError.keyGenerationFailed) { bio in
            unsafe PEM_write_bio_PKCS8PrivateKey(bio, pointer, nil, nil, 0, nil, nil)
        }
    }

    func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
        let count = unsafe i2d_PUBKEY(pointer, nil)
        guard count > 0 else { throw .malformedKey(cause: OpenSSLErrors.drain()) }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var next = buffer.baseAddress
            initialized = unsafe Int(i2d_PUBKEY(pointer, &next))
        }
    }

    /// The 32 bytes of an Ed25519 public key (RFC 8032 §5.1.5).
    func rawPublicKey() throws(CryptoError) -> [UInt8] {
        var isGiven = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            count = 32
            isGiven = unsafe EVP_PKEY_get_raw_public_key(pointer, buffer.baseAddress, &count) == 1
            if !isGiven { count = 0 }
        }
        guard isGiven else { throw .malformedKey(cause: OpenSSLErrors.drain()) }
        return bytes
    }

    /// A public number of the key, big-endian, filled up with zeros to `width` bytes; without a width as short as it goes.
    func publicNumber(_ name: String, width: Int32? = nil) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { throw .malformedKey(cause: OpenSSLErrors.drain()) }
        defer { unsafe BN_free(number) }
        let width = unsafe width ?? (BN_num_bits(number) + 7) / 8
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(width)) { buffer, count in
            // -1 when the number is wider, which a coordinate of P-256 never is.
            count = unsafe max(0, Int(BN_bn2binpad(number, buffer.baseAddress, width)))
        }
    }

    /// A self-signed X.509 certificate in PEM form, for this key and nothing else.
    func selfSignedCertificate(
        commonName: String, serial: [UInt8], notBefore: Int64, notAfter: Int64
    ) throws(CryptoError) -> String {
        guard let certificate = unsafe X509_new() else { throw .certificateFailed(cause: OpenSSLErrors.drain()) }
        defer { unsafe X509_free(certificate) }
        let name = Array(commonName.utf8)
        let subject = unsafe X509_get_subject_name(certificate)
        guard
            unsafe X509_set_version(certificate, Int(X509_VERSION_3)) == 1,
            unsafe setSerial(serial, of: certificate),
            unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), Int(notBefore)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), Int(notAfter)) != nil,
            // OpenSSL refuses a name that is empty or has more than 64 characters (RFC 5280, ub-common-name).
            unsafe X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, name, Int32(name.count), -1, 0) == 1,
            unsafe X509_set_issuer_name(certificate, subject) == 1,
            unsafe X509_set_pubkey(certificate, pointer) == 1,
            unsafe add(NID_basic_constraints, "critical,CA:FALSE", to: certificate),
            unsafe add(NID_key_usage, "critical,digitalSignature", to: certificate),
            unsafe X509_sign(certificate, pointer, digest) > 0
        else { throw .certificateFailed(cause: OpenSSLErrors.drain()) }
        return try unsafe text(orThrow: CryptoError.certificateFailed) { bio in unsafe PEM_write_bio_X509(bio, certificate) }
    }

    private func setSerial(_ serial: [UInt8], of certificate: OpaquePointer) -> Bool {
        guard let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil) else { return false }
        defer { unsafe BN_free(number) }
        return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private func add(_ identifier: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
        guard let item = unsafe X509V3_EXT_conf_nid(nil, nil, identifier, value) else { return false }
        defer { unsafe X509_EXTENSION_free(item) }
        return unsafe X509_add_ext(certificate, item, -1) == 1
    }

    /// What `write` puts into a memory BIO, whose buffer OpenSSL wipes when it is freed.
    private func text(
        orThrow failure: (String) -> CryptoError, _ write: (OpaquePointer) -> Int32
    ) throws(CryptoError) -> String {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw failure(OpenSSLErrors.drain()) }
        defer { unsafe BIO_free(bio) }
        guard unsafe write(bio) == 1 else { throw failure(OpenSSLErrors.drain()) }
        let capacity = unsafe BIO_ctrl_pending(bio)
        return unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
            unsafe max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(capacity))))
        }
    }
}
