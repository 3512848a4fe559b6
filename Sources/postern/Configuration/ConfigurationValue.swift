/// A value of a configuration file with the place where it begins, so that every problem can name line and column.
struct ConfigurationValue: Sendable, Equatable {
    /// One entry of an object. Names may repeat: that is a problem to report, not one to hide.
    struct Member: Sendable, Equatable {
        /// The key, unescaped.
        var name: String
        /// Where the key begins.
        var position: TextPosition
        /// What stands behind the colon.
        var value: ConfigurationValue
    }

    /// What the value is.
    enum Content: Sendable, Equatable {
        /// Members in the order of the file.
        case object([Member])
        /// Elements in order.
        case array([ConfigurationValue])
        /// Text, unescaped.
        case string(String)
        /// Any number of JSON5, `NaN` and the infinities included.
        case number(Double)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
    }

    /// What the value is.
    var content: Content
    /// Where the value begins.
    var position: TextPosition

    /// The value's kind as a message names it. Never the value itself: it may be a secret.
    var kind: String {
        switch content {
        case .object: "an object"
        case .array: "a list"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}
