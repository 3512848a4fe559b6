internal import COpenSSL

/// The two spellings of a P-256 signature: OpenSSL's DER, and JWS's fixed 64 bytes r‖s (RFC 7518 §3.4).
enum ECDSASignature {
    /// 32 bytes for each of r and s.
    static let byteCount = 64

    /// r‖s, each filled up with zeros; `nil` when the DER is malformed.
    static func fixed(der: [UInt8]) -> [UInt8]? {
        let signature = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let signature = unsafe signature else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let half = Int32(byteCount / 2)
        let fixed = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            // A number of one byte fewer than usual comes once in 128 signatures: hence "binpad", never "bn2bin".
            let isComplete =
                unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), buffer.baseAddress, half) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), buffer.baseAddress.map { unsafe $0 + Int(half) }, half) == half
            count = isComplete ? byteCount : 0
        }
        return fixed.isEmpty ? nil : fixed
    }

    /// DER; `nil` when the signature does not have 64 bytes.
    static func der(fixed: [UInt8]) -> [UInt8]? {
        guard fixed.count == byteCount, let signature = unsafe ECDSA_SIG_new() else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let half = Int32(byteCount / 2)
        let r = unsafe BN_bin2bn(Array(fixed.prefix(byteCount / 2)), half, nil)
        let s = unsafe BN_bin2bn(Array(fixed.suffix(byteCount / 2)), half, nil)
        guard unsafe r != nil, unsafe s != nil, unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
            unsafe BN_free(r)
            unsafe BN_free(s)
            return nil
        }
        let count = unsafe i2d_ECDSA_SIG(signature, nil)
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var next = buffer.baseAddress
            initialized = unsafe Int(i2d_ECDSA_SIG(signature, &next))
        }
    }
}
