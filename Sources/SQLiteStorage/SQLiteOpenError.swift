public import Mail

/// Why a database could not be opened. The description says what to do about it.
public enum SQLiteOpenError: Error, Sendable, Equatable {
    /// The folder is missing and could not be made, or the file could not be; the system's text.
    case cannotCreate(path: String, reason: String)
    /// There is no such file, and a tool does not make one.
    case missing(path: String)
    /// The path names a link, a folder or a device.
    case notARegularFile(path: String)
    /// Others than owner and group may read or write the file.
    case openToOthers(path: String)
    /// Another process serves from this file.
    case inUse(path: String)
    /// The file is a database of another program.
    case notPostern(path: String)
    /// A newer Postern has written the file; schema versions.
    case newer(path: String, found: Int, known: Int)
    /// An older Postern has written the file, and a tool does not change that; schema versions.
    case older(path: String, found: Int, needed: Int)
    /// SQLite could not use the file.
    case unavailable(path: String, StoreError)
}

extension SQLiteOpenError: CustomStringConvertible {
    /// What is wrong and what helps, in one line.
    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
        case .missing(let path): "there is no database at \(path); `postern serve` makes it at its first start"
        case .notARegularFile(let path): "\(path) is not a regular file; give the path of the database file itself"
        case .openToOthers(let path): "other users may access \(path), which holds addresses and sessions; run: chmod o-rwx \(path)"
        case .inUse(let path): "another process serves from \(path); stop it first, or give this one a database of its own"
        case .notPostern(let path): "\(path) is a database of another program; give the path of a new file"
        case .newer(let path, let found, let known):
            "\(path) was written by a newer version of Postern (schema \(found); this one knows \(known)); install that version"
        case .older(let path, let found, let needed):
            "\(path) was written by an older version of Postern (schema \(found); this one needs \(needed)); start `postern serve` once"
        case .unavailable(let path, .unavailable(let cause)): "cannot use \(path): \(cause)"
        case .unavailable(let path, .stopped): "cannot use \(path): stopped"
        }
    }
}

extension SQLiteOpenError {
    /// Runs `body`; a store's error becomes one of opening `path`.
    static func catching<Value>(path: String, _ body: () throws(StoreError) -> Value) throws(SQLiteOpenError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .unavailable(path: path, error)
        }
    }
}
