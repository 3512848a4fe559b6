internal import Crypto
public import Platform

/// The keys that sign codes and links, derived from the operator's secrets: the first signs, all verify (interface.md §4).
public struct KeyRing: Sendable {
    struct Key: Sendable {
        /// Five bytes that say which secret a code was made with; derived, so that it does not depend on the secret's place in the list.
        let id: [UInt8]
        let codes: SymmetricKey
        let links: SymmetricKey
        let pages: SymmetricKey
        let limits: SymmetricKey
        let digits: SymmetricKey
        let messages: SymmetricKey
        let disowning: SymmetricKey
    }

    private let keys: [Key]

    /// Derives the keys. At least one secret; each should have 32 bytes or more, which the configuration checks.
    public init(secrets: [Secret<[UInt8]>]) {
        precondition(!secrets.isEmpty, "a key ring needs a secret")
        keys = secrets.map { secret in
            let id = HMACSHA256.tag([], key: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/key-id"))
            return Key(
                id: Array(id.prefix(5)),
                codes: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/action-code"),
                links: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/action-link"),
                pages: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/action-page"),
                limits: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/rate-limit"),
                digits: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/sign-in-digits"),
                messages: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/message-token"),
                disowning: HKDFSHA256.derive(secret: secret.exposed, label: "postern/v1/not-me-link"))
        }
    }

    var signing: Key { keys[0] }

    /// The key of every secret, the signing one first.
    var all: [Key] { keys }

    func key(_ id: some Collection<UInt8>) -> Key? {
        keys.first { $0.id.elementsEqual(id) }
    }
}
