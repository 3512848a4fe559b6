internal import CMicroHTTPD
internal import Glibc

/// A libmicrohttpd daemon without a thread of its own. Made, run and freed on its loop's thread, which is why it is not Sendable.
@safe final class DaemonHandle {
    private let pointer: OpaquePointer
    private var quiesced = false
    private var stopped = false
    /// Readable when `run()` has something to do.
    let descriptor: Int32

    /// Starts serving what arrives at `listener`, which belongs to the daemon from now on. `events` must outlive the daemon.
    init(listener: Int32, configuration: HTTPServerConfiguration, events: ConnectionLoop) throws(HTTPServerError) {
        var options = unsafe postern_daemon_options()
        unsafe options.listener = listener
        let loops = max(1, configuration.loops)
        unsafe options.connections = UInt32(clamping: max(1, (configuration.maximumConnections + loops - 1) / loops))
        unsafe options.idle_seconds = UInt32(clamping: max(1, configuration.idleTimeout.components.seconds))
        unsafe options.connection_memory = max(4096, configuration.connectionMemoryBytes)
        unsafe options.context = Unmanaged.passUnretained(events).toOpaque()
        unsafe options.access = { _, _, _, method, version, upload, uploadLength, context in
            guard let context = unsafe context?.pointee, let method = unsafe method, let version = unsafe version,
                let uploadLength = unsafe uploadLength
            else { return .NO }
            let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe UnsafeRawBufferPointer(start: upload, count: uploadLength.pointee)
            unsafe uploadLength.pointee = 0
            return unsafe connection.access(method: method, version: version, part: part) ? .YES : .NO
        }
        unsafe options.completed = { _, _, context, _ in
            guard let context = unsafe context?.pointee else { return }
            unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().completed()
        }
        unsafe options.connection = { loop, pointer, context, code in
            guard let loop = unsafe loop, let context = unsafe context else { return }
            if code == .CONNECTION_NOTIFY_STARTED {
                guard let pointer = unsafe pointer else { return }
                let loop = unsafe Unmanaged<ConnectionLoop>.fromOpaque(loop).takeUnretainedValue()
                let connection = unsafe Connection(ConnectionHandle(pointer), loop: loop)
                unsafe context.pointee = Unmanaged.passRetained(connection).toOpaque()
                loop.opened(connection)
            } else if let raw = unsafe context.pointee {
                unsafe context.pointee = nil
                let connection = unsafe Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue()
                connection.closed()
            }
        }
        unsafe options.target = { _, target, pointer in
            guard let pointer = unsafe pointer, let context = unsafe postern_connection_context(pointer) else { return nil }
            let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
            unsafe connection.began(target: target)
            return unsafe context
        }
        guard let started = unsafe postern_start_daemon(&options) else { throw .engineFailed }
        unsafe pointer = started
        descriptor = unsafe postern_daemon_epoll(started)
    }

    deinit {
        stop()
    }

    /// Closes all connections and frees everything. libmicrohttpd aborts the process when a connection is still suspended, so resume all
    /// of them before; it need not have run since. Nothing else may be called afterwards.
    func stop() {
        guard !stopped else { return }
        // Unless quiesced, libmicrohttpd would close the listener itself; this way it is closed exactly once on every path.
        quiesce()
        stopped = true
        unsafe MHD_stop_daemon(pointer)
    }

    /// Handles all that is ready, without waiting. Asked with a wait it would be the one that hangs: 0.9.75 waits again, before it serves
    /// any, when exactly 128 events come at once.
    func run() -> Bool {
        unsafe MHD_run(pointer) == .YES
    }

    /// How long one may wait before the next `run()`, in milliseconds; nil for ever.
    var timeout: Int32? {
        var milliseconds: UInt64 = 0
        guard unsafe MHD_get_timeout(pointer, &milliseconds) == .YES else { return nil }
        return Int32(clamping: milliseconds)
    }

    /// Stops accepting and closes the listener.
    func quiesce() {
        guard !quiesced else { return }
        quiesced = true
        let listener = unsafe MHD_quiesce_daemon(pointer)
        if listener >= 0 { close(listener) }
    }
}
