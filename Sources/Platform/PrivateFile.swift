internal import Glibc

/// A file that only its owner may read, made so from its first instant.
public enum PrivateFile {
    /// Why a file could not be made or read; the system's error number.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file or folder.
        public let path: String
        /// What was tried.
        public let action: String
        /// `errno`.
        public let number: Int32

        /// One line for operators.
        public var description: String {
            "cannot \(action) \(path): \(unsafe String(cString: strerror(number)))"
        }
    }

    /// Makes a folder with mode 0700 unless there is one.
    public static func makeFolder(_ path: String) throws(Failure) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(path: path, action: "create the folder", number: errno) }
    }

    /// The bytes of the file, after making it with `initial` when there is none. At most 64 KiB are read.
    public static func contents(_ path: String, initial: () -> [UInt8]) throws(Failure) -> [UInt8] {
        let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            let bytes = initial()
            let written = unsafe bytes.withUnsafeBytes { unsafe write(made, $0.baseAddress, $0.count) }
            let synced = fsync(made)
            let number = errno
            close(made)
            guard written == bytes.count, synced == 0 else {
                // Half a secret is worse than none.
                unsafe unlink(path)
                throw Failure(path: path, action: "write", number: number)
            }
            return bytes
        }
        guard errno == EEXIST else { throw Failure(path: path, action: "create", number: errno) }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Failure(path: path, action: "open", number: errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw Failure(path: path, action: "read", number: errno) }
        return Array(bytes.prefix(count))
    }
}
