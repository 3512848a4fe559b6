/// What one DKIM signature is made as: a domain, a selector and the private key whose public half DNS holds under both.
public struct DKIMIdentity: Sendable {
    /// Makes the signature: PKCS#1 v1.5 with SHA-256 of the octets for RSA, plain Ed25519 of the octets for Ed25519. Throws the cause.
    public typealias Signing = @Sendable (_ octets: [UInt8]) throws(SigningFailure) -> [UInt8]

    /// Why a key did not sign, for the log; holds nothing secret.
    public struct SigningFailure: Error, Sendable {
        /// What the library said.
        public let cause: String

        /// Makes a failure.
        public init(cause: String) {
            self.cause = cause
        }
    }

    /// The `d=`, as A-labels.
    public let domain: String
    /// The `s=`.
    public let selector: String
    /// The `a=`.
    public let algorithm: DKIMAlgorithm

    let sign: Signing

    /// Makes an identity. `domain` and `selector` are host names by `HostName`; this module has no keys of its own, so `sign` brings the key.
    public init(domain: String, selector: String, algorithm: DKIMAlgorithm, sign: @escaping Signing) {
        self.domain = domain
        self.selector = selector
        self.algorithm = algorithm
        self.sign = sign
    }
}
