internal import Platform

/// How a project's mails are signed (RFC 6376).
struct DKIMSettings: Sendable, Equatable {
    /// The signing domain, A-labels.
    var domain: String
    /// The selector.
    var selector: String
    /// A PEM private key; that it is one is found out when it is loaded.
    var privateKey: Secret<String>
}
