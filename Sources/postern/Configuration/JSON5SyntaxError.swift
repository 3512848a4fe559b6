/// Where a text stops being JSON5, and why.
struct JSON5SyntaxError: Error, Equatable {
    /// The first character that does not fit, or the end of the text.
    var position: TextPosition
    /// What stands there.
    var found: String
    /// What could have stood there.
    var expected: String
}
