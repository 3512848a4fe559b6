internal import CSQLite
internal import Mail

/// A result code of SQLite (sqlite.org/rescode.html), as the log is to see it: its number and SQLite's fixed text for it. The text that
/// belongs to the connection is left out, since it may quote what was being written.
struct SQLiteError: Error, Equatable {
    /// The extended code; its low byte is the primary code.
    var extendedCode: Int32

    /// The primary code.
    var primaryCode: Int32 { extendedCode & 0xFF }

    /// The same as the store's callers get it.
    var storeError: StoreError {
        let text = unsafe String(cString: sqlite3_errstr(extendedCode))
        return .unavailable(cause: "SQLite error \(primaryCode) (extended \(extendedCode)): \(text)")
    }
}

extension StoreError {
    /// A stored value that no version of Postern has written.
    static func damaged(_ what: StaticString) -> StoreError { .unavailable(cause: "the database holds an impossible \(what)") }
}
