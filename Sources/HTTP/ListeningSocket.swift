internal import Glibc
internal import Synchronization

/// A bound and listening TCP socket, closed with this object unless somebody took it.
final class ListeningSocket: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }

    /// Gives the descriptor away; whoever takes it closes it. Nil when it is gone already.
    func take() -> Int32? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    /// Opens `count` sockets on one address, among which the kernel spreads connections, and tells the port.
    ///
    /// The first is bound without SO_REUSEPORT, so that a port that anybody else has, with or without that option, is an error and not a
    /// port that two programs share by accident. It joins the group after that.
    static func open(host: String, port: Int, count: Int) throws(HTTPServerError) -> (sockets: [ListeningSocket], port: Int) {
        guard let address = SocketAddress(host: host) else { throw .invalidHost(host) }
        guard let wanted = UInt16(exactly: port) else { throw .invalidPort(port) }
        var sockets: [Int32] = []
        do throws(HTTPServerError) {
            let first = try bound(address, port: wanted, host: host, shared: false)
            sockets.append(first)
            let actual = localPort(first)
            if count > 1 { try set(first, SOL_SOCKET, SO_REUSEPORT, 1) }
            for _ in 1..<max(1, count) { sockets.append(try bound(address, port: actual, host: host, shared: true)) }
            for socket in sockets where listen(socket, SOMAXCONN) != 0 {
                throw errno == EADDRINUSE ? .addressInUse(host: host, port: port) : .system(call: "listen", code: errno)
            }
            return (sockets.map(ListeningSocket.init), Int(actual))
        } catch {
            for socket in sockets { close(socket) }
            throw error
        }
    }

    private static func bound(
        _ address: SocketAddress, port: UInt16, host: String, shared: Bool
    ) throws(HTTPServerError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        do throws(HTTPServerError) {
            try set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if shared { try set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
            if address.family == AF_INET6 { try set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isAny ? 0 : 1) }
            guard address.bind(descriptor, port: port) else {
                switch errno {
                case EADDRINUSE: throw .addressInUse(host: host, port: Int(port))
                case EADDRNOTAVAIL: throw .addressNotAvailable(host: host)
                case EACCES, EPERM: throw .permissionDenied(host: host, port: Int(port))
                default: throw .system(call: "bind", code: errno)
                }
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) throws(HTTPServerError) {
        var value = value
        guard unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .system(call: "setsockopt", code: errno)
        }
    }

    private static func localPort(_ socket: Int32) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe getsockname(socket, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        // The port lies at the same place for both families.
        return UInt16(bigEndian: storage.sin6_port)
    }
}
