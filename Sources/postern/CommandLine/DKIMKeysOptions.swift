/// Options of `postern keys dkim`.
struct DKIMKeysOptions: Sendable, Equatable {
    /// Which keys are meant.
    enum KeyType: String, Sendable, CaseIterable {
        /// RSA with 2048 bits.
        case rsa
        /// Ed25519.
        case ed25519
        /// One of each.
        case both
    }

    /// The word behind `keys`.
    static let action = "dkim"
    /// The flags that belong to it and not to the other actions.
    static let flags = ["project", "selector", "type", "out", "show"]

    /// The configuration file.
    var config: String
    /// The project whose mails are signed.
    var project: String
    /// A DNS label.
    var selector = "s1"
    /// Which keys.
    var type = KeyType.both
    /// The folder for key files; nil for the configuration file's.
    var out: String?
    /// Whether nothing is made.
    var show = false
}
