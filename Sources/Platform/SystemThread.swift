internal import Glibc

/// A thread of the operating system, for work that blocks.
@safe public final class SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts `body` on a new thread. `name` (at most 15 bytes) shows in `top -H` and debuggers.
    public init(name: String, _ body: @escaping @Sendable () -> Void) {
        let boxed = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var handle = pthread_t()
        let result = unsafe pthread_create(
            &handle, nil,
            { raw in
                guard let raw = unsafe raw else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                SystemThread.nameThisThread(start.name)
                start.body()
                return nil
            }, unsafe boxed.toOpaque())
        // Out of threads at start: nothing useful can run, so the process must not pretend to.
        precondition(result == 0, "cannot start thread \(name): error \(result)")
        self.handle = handle
    }

    /// Waits until the thread's body has returned. Call at most once.
    public func join() {
        pthread_join(handle, nil)
    }

    /// Through procfs, since Glibc's own call is hidden from Swift; without procfs the thread keeps its parent's name.
    private static func nameThisThread(_ name: String) {
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8.prefix(15))
        _ = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
