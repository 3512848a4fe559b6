internal import Glibc

/// Tells when something in a folder, or in a folder below it, has changed (inotify(7)).
///
/// Editors save in several steps, so it tells once things have been quiet for a moment, and a while after the first step at the latest.
@safe public final class FolderWatcher: Service {
    /// A folder that cannot be watched.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The call that failed and its error number.
        public let description: String
    }

    /// What the log calls it.
    public let name = "folder watcher"

    /// How long things must be quiet. 40 ms: longer than the steps of one save are apart, too short to notice.
    private static let quiet: Int32 = 40
    /// After this many events in one burst it tells, quiet or not.
    private static let largestBurst = 1000
    /// Deeper folders are not watched: a link that leads back up would never end.
    private static let deepest = 8

    private let folders: [String]
    private let changed: @Sendable () -> Void
    private let descriptor: Int32
    private let stop: (read: Int32, write: Int32)

    /// Begins to watch; `changed` is called on a thread of the watcher's own while `run` runs.
    public init(folders: [String], changed: @escaping @Sendable () -> Void) throws(Failure) {
        self.folders = folders
        self.changed = changed
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { throw Failure(description: "inotify_init1 failed: error \(errno)") }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            close(descriptor)
            throw Failure(description: "pipe failed: error \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stop = (ends[0], ends[1])
        for folder in folders { watch(folder, depth: 0) }
    }

    deinit {
        close(descriptor)
        close(stop.read)
        close(stop.write)
    }

    /// Watches until `shutdown`.
    public func run(until shutdown: Shutdown) async {
        let thread = SystemThread(name: "folder-watch") { [self] in
            while let burst = waitForBurst() {
                // A new folder has no watch yet, and a replaced one has lost its own.
                if burst { for folder in folders { watch(folder, depth: 0) } }
                changed()
            }
        }
        await shutdown.wait()
        _ = unsafe write(stop.write, "x", 1)
        thread.join()
    }

    /// Whether folders came or went in a burst of changes; nil when it is time to stop.
    private func waitForBurst() -> Bool? {
        guard waits(-1) else { return nil }
        var burst = take()
        var steps = 1
        while steps < Self.largestBurst, isReadable(within: Self.quiet) {
            burst = take() || burst
            steps += 1
        }
        return burst
    }

    /// Waits for an event; false when it is time to stop.
    private func waits(_ timeout: Int32) -> Bool {
        var both = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: stop.read, events: Int16(POLLIN), revents: 0)]
        while true {
            let count = unsafe poll(&both, 2, timeout)
            if count < 0, errno == EINTR { continue }
            return count > 0 && both[1].revents == 0
        }
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&one, 1, milliseconds) > 0
    }

    /// Reads what there is; whether a folder is concerned, or events were lost.
    private func take() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var concernsFolders = false
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return concernsFolders }
            unsafe buffer.withUnsafeBytes { bytes in
                var offset = 0
                let header = MemoryLayout<inotify_event>.size
                while offset + header <= count {
                    let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    if event.mask & (Self.isFolder | Self.overflow | Self.ignored) != 0 { concernsFolders = true }
                    offset += header + Int(event.len)
                }
            }
        }
    }

    private static let isFolder: UInt32 = 0x4000_0000
    private static let overflow: UInt32 = 0x4000
    private static let ignored: UInt32 = 0x8000
    /// Closed after writing, moved in or out, created, deleted, and the folder itself moved or deleted. Not every single write: half a file
    /// is no template.
    private static let events: UInt32 = 0x008 | 0x040 | 0x080 | 0x100 | 0x200 | 0x400 | 0x800

    /// Watches a folder and those below it. Watching one twice does nothing; one that is gone meanwhile is left out.
    private func watch(_ folder: String, depth: Int) {
        guard depth < Self.deepest, unsafe inotify_add_watch(descriptor, folder, Self.events | 0x0100_0000) >= 0 else { return }
        guard let stream = unsafe opendir(folder) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            guard !name.hasPrefix(".") else { continue }
            // Fails for what is no folder (IN_ONLYDIR), and goes through links as readers do.
            watch(folder + "/" + name, depth: depth + 1)
        }
    }
}
