/// How long names and pictures' addresses may be: both end up in every ID token, which must stay short enough for headers.
enum ProfileLimits {
    /// In bytes.
    static let name = 1024
    /// In bytes.
    static let photo = 2048

    static func allow(name: String?, photoURL: String?) -> Bool {
        name?.utf8.count ?? 0 <= Self.name && photoURL?.utf8.count ?? 0 <= photo
    }
}
