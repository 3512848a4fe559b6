/// A place in a text file; both numbers begin at 1, columns count Unicode scalars.
struct TextPosition: Sendable, Hashable, Comparable {
    /// The line.
    var line: Int
    /// The column.
    var column: Int

    /// The earlier place sorts first.
    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
