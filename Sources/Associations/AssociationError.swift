/// Why an association file cannot be made from a configuration.
///
/// Nothing in it is secret: association files are public.
public enum AssociationError: Error, Equatable, CustomStringConvertible {
    /// A value that the file's format does not allow, with a clause that says why ("it is empty").
    case invalid(Field, value: String, reason: String)

    /// Two projects of one host name the same app and want different entries for it; the file can hold one only.
    case conflictingOptions(app: String)

    /// The file is larger than Apple's systems read; both numbers are bytes.
    case tooLarge(size: Int, limit: Int)

    /// What a refused value was meant to be; the raw value is the name of the setting.
    public enum Field: String, Sendable, CaseIterable {
        /// An Apple app's bundle identifier.
        case bundleID
        /// An Apple app's prefix.
        case teamID
        /// An Apple app's number in the App Store.
        case appStoreID
        /// An Android app's application ID.
        case packageName
        /// One fingerprint of an Android app's certificates.
        case sha256CertFingerprints
        /// A component's path pattern.
        case path
        /// A component's query pattern, or the name or pattern of one of its items.
        case query
        /// A component's fragment pattern.
        case fragment
        /// A component that is wrong as a whole, or in the wrong place.
        case extraComponents
        /// An Android component that is wrong as a whole, or in the wrong place.
        case extraAndroidComponents
    }

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .invalid(.bundleID, _, _): "INVALID_BUNDLE_ID"
        case .invalid(.teamID, _, _): "INVALID_TEAM_ID"
        case .invalid(.appStoreID, _, _): "INVALID_APP_STORE_ID"
        case .invalid(.packageName, _, _): "INVALID_PACKAGE_NAME"
        case .invalid(.sha256CertFingerprints, _, _): "INVALID_CERT_FINGERPRINT"
        case .invalid(.path, _, _), .invalid(.query, _, _), .invalid(.fragment, _, _), .invalid(.extraComponents, _, _),
            .invalid(.extraAndroidComponents, _, _):
            "INVALID_COMPONENT"
        case .conflictingOptions: "CONFLICTING_OPTIONS"
        case .tooLarge: "FILE_TOO_LARGE"
        }
    }

    /// What would have been right, without a full stop.
    public var expected: String {
        switch self {
        case .invalid(.bundleID, _, _):
            "letters, digits, hyphens and full stops, such as com.example.app, at most \(AppleApp.maximumBundleIDLength) characters"
        case .invalid(.teamID, _, _): "ten upper-case letters or digits, such as ABCDE12345"
        case .invalid(.appStoreID, _, _): "the app's number in the App Store, digits only, such as 123456789"
        case .invalid(.packageName, _, _):
            "two segments or more, such as com.example.app, each a letter followed by letters, digits or underscores"
        case .invalid(.sha256CertFingerprints, _, _): "a SHA-256 fingerprint: 64 hexadecimal digits, all pairs joined by colons or none"
        case .invalid(.path, _, _): "a pattern that begins with /, * or ?, percent-encoded, such as /orders/*"
        case .invalid(.query, _, _): "a percent-encoded pattern, or items with a pattern each"
        case .invalid(.fragment, _, _): "a percent-encoded pattern without the #"
        case .invalid(.extraComponents, _, _): "components with a path, a query or a fragment, and the link form \"components\""
        case .invalid(.extraAndroidComponents, _, _):
            "components with a path, query items, a fragment and \"exclude\" only, and dynamic app links switched on"
        case .conflictingOptions: "the same options in every project that names the app"
        case .tooLarge(_, let limit): "at most \(limit) bytes; spread the apps over several link domains"
        }
    }

    /// One sentence for people: which setting, which value, why it is refused and what is expected.
    public var description: String {
        switch self {
        case .invalid(let field, let value, let reason):
            "\(field.rawValue) \(Self.shown(value)) is refused: \(reason); expected \(expected)."
        case .conflictingOptions(let app):
            "The app \(Self.shown(app)) has different association options in two projects of one host; expected \(expected)."
        case .tooLarge(let size, _):
            "The apple-app-site-association file would be \(size) bytes long; expected \(expected)."
        }
    }

    /// The value on one line: a configuration may hold anything, and the text goes to terminals and logs.
    private static func shown(_ value: String) -> String {
        let limit = 120
        let escaped = value.unicodeScalars.prefix(limit).map { $0.properties.isUnshowable ? $0.escaped(asASCII: true) : String($0) }
        return "\"\(escaped.joined())\(value.unicodeScalars.count > limit ? "…" : "")\""
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isUnshowable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
