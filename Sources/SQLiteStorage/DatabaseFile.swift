internal import Glibc

/// The database's file as the operating system sees it, before SQLite does.
enum DatabaseFile {
    /// Makes folder (0700) and file (0600) when `create` says so, and refuses a file that others can get at.
    ///
    /// SQLite gives `-wal` and `-shm` the permissions of the file itself.
    static func prepare(path: String, create: Bool) throws(SQLiteOpenError) {
        if create { try makeFolder(of: path) }
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var file = create ? unsafe open(path, flags | O_CREAT | O_EXCL, 0o600) : -1
        if !create || (file < 0 && errno == EEXIST) { file = unsafe open(path, flags) }
        guard file >= 0 else {
            switch errno {
            case ENOENT: throw .missing(path: path)
            // A link at the end of the path; the lock and the log would lie beside the link and not beside the file.
            case ELOOP, EISDIR, ENXIO: throw .notARegularFile(path: path)
            default: throw .cannotCreate(path: path, reason: systemText())
            }
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .cannotCreate(path: path, reason: systemText()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(path: path) }
        guard status.st_mode & 0o007 == 0 else { throw .openToOthers(path: path) }
    }

    private static func makeFolder(of path: String) throws(SQLiteOpenError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .cannotCreate(path: folder, reason: systemText()) }
    }

    static func systemText() -> String {
        unsafe String(cString: strerror(errno))
    }
}

/// Keeps other processes from serving from the same file, for as long as it lives. The kernel lets go of it when the process dies.
final class ServingLock: Sendable {
    private let file: Int32

    /// Takes `<path>.lock`; refuses when somebody else has it. The file stays: removing it would let two processes lock two files.
    init(path: String) throws(SQLiteOpenError) {
        let file = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotCreate(path: path + ".lock", reason: DatabaseFile.systemText()) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .inUse(path: path)
        }
        self.file = file
    }

    deinit {
        close(file)
    }
}
