/// The placeholders of Firebase's own mail templates, so that texts written for those can be pasted.
///
/// Each stands for a variable and is escaped like it. Any other `%` is text, such as the one of `%20` in an address.
enum FirebasePlaceholder {
    /// The variable of each placeholder.
    static let variables: KeyValuePairs = [
        "%APP_NAME%": "appName", "%DISPLAY_NAME%": "displayName", "%EMAIL%": "email", "%LINK%": "link", "%NEW_EMAIL%": "newEmail",
    ]

    private static let all = variables.map { (bytes: Array($0.key.utf8), variable: $0.value) }

    /// The placeholder that begins at `offset`, if one does.
    static func find(in source: [UInt8], at offset: Int) -> (variable: String, length: Int)? {
        all.first { source[offset...].starts(with: $0.bytes) }.map { ($0.variable, $0.bytes.count) }
    }
}
