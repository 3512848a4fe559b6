internal import FoundationEssentials
internal import Glibc

/// The folder of the token keys: files that nobody else may read, written whole or not at all.
struct KeyFolder {
    let path: String

    /// A key is a few kilobytes; more is some other file.
    private static let fileLimit = 64 * 1024
    /// What a file is called before it is complete; such files are not keys.
    private static let unfinished = ".new-"

    /// Makes the folder (0700) and those above it when they are missing, and refuses one that others may write to.
    init(path: String) throws(TokenKeyError) {
        self.path = path
        try Self.make(path)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .unusableFolder(path: path, cause: Self.cause()) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusableFolder(path: path, cause: "ENOTDIR") }
        guard status.st_mode & 0o022 == 0 else { throw .exposedFolder(path: path) }
    }

    private static func make(_ path: String) throws(TokenKeyError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex else {
            throw .unusableFolder(path: path, cause: cause())
        }
        try make(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unusableFolder(path: path, cause: cause()) }
    }

    func path(of name: String) -> String { path + "/" + name }

    /// Runs `body` while no other process or thread changes the folder through this type.
    ///
    /// The lock belongs to the open folder, so the kernel gives it back when the process ends, however it ends (flock(2)).
    func whileLocked<Value>(_ body: () throws(TokenKeyError) -> Value) throws(TokenKeyError) -> Value {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusableFolder(path: path, cause: Self.cause()) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unusableFolder(path: path, cause: Self.cause()) }
        }
        return try body()
    }

    /// The names of the `.pem` files, sorted.
    func names() throws(TokenKeyError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".pem") && !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .unusableFolder(path: path, cause: "it cannot be listed")
        }
    }

    /// The text of a file that its owner alone may read.
    func read(_ name: String) throws(TokenKeyError) -> String {
        let file = path(of: name)
        // Without O_NONBLOCK a named pipe in the folder would hang the start.
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadableFile(path: file, cause: Self.cause()) }
        defer { close(descriptor) }
        // Asked of the open file, so that it cannot be exchanged between the question and the reading.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadableFile(path: file, cause: Self.cause()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadableFile(path: file, cause: "not a regular file") }
        guard status.st_mode & 0o077 == 0 else { throw .exposedFile(path: file) }
        guard status.st_size <= Self.fileLimit else { throw .unreadableFile(path: file, cause: "EFBIG") }

        var bytes = [UInt8](repeating: 0, count: Self.fileLimit)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno != EINTR {
                throw .unreadableFile(path: file, cause: Self.cause())
            }
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Adds a file (0600): under its name there is the whole text or nothing, whenever the power fails. Call while locked.
    func write(_ text: String, as name: String) throws(TokenKeyError) {
        let temporary = path(of: Self.unfinished + name)
        // The lock is ours, so one that lies about is left from a process that died.
        unlink(temporary)
        // O_EXCL with the mode: at no moment is there a file that others could open.
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unwritableFile(path: temporary, cause: Self.cause()) }
        guard giveToOwner(descriptor), Self.write(Array(text.utf8), to: descriptor), fsync(descriptor) == 0 else {
            let cause = Self.cause()
            close(descriptor)
            unlink(temporary)
            throw .unwritableFile(path: temporary, cause: cause)
        }
        close(descriptor)
        guard unsafe rename(temporary, path(of: name)) == 0 else {
            let cause = Self.cause()
            unlink(temporary)
            throw .unwritableFile(path: path(of: name), cause: cause)
        }
        try synchronise()
    }

    /// Deletes a file; one that is gone already is no error. Call while locked.
    func remove(_ name: String) throws(TokenKeyError) {
        guard unlink(path(of: name)) == 0 || errno == ENOENT else {
            throw .unwritableFile(path: path(of: name), cause: Self.cause())
        }
    }

    /// Deletes what processes left that died while they wrote. Call while locked, so that nobody is writing.
    func removeUnfinished() throws(TokenKeyError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw .unusableFolder(path: path, cause: "it cannot be listed")
        }
        for name in names where name.hasPrefix(Self.unfinished) { try remove(name) }
    }

    /// A key that root makes belongs to whom the folder belongs, or the server that runs as that user could not read it.
    private func giveToOwner(_ descriptor: Int32) -> Bool {
        guard geteuid() == 0 else { return true }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return fchown(descriptor, status.st_uid, status.st_gid) == 0
    }

    /// A renamed file survives a power failure only once its folder is written too.
    private func synchronise() throws(TokenKeyError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusableFolder(path: path, cause: Self.cause()) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unusableFolder(path: path, cause: Self.cause()) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// The name of the last system error, such as `EACCES`.
    private static func cause() -> String {
        let number = errno
        return POSIXErrorCode(rawValue: number).map { "\($0)" } ?? "errno \(number)"
    }

    /// Deletes a file of which nobody minds whether it was there.
    @discardableResult
    private func unlink(_ path: String) -> Int32 {
        unsafe Glibc.unlink(path)
    }
}
