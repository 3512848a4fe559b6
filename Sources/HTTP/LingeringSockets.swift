internal import Glibc

/// Sockets that were answered before their request was read to its end.
///
/// To close such a socket while the client still sends makes the kernel reset the connection, and the client never sees the answer
/// (RFC 9112 section 9.6). So it is read, and thrown away, until the client has closed or time is up.
struct LingeringSockets {
    private var sockets: [(descriptor: Int32, until: UInt64)] = []
    private static let limit = 128
    private static let milliseconds: UInt64 = 2000

    var isEmpty: Bool { sockets.isEmpty }

    /// Keeps a duplicate of a socket that libmicrohttpd is about to close.
    mutating func keep(_ socket: Int32, now: UInt64) {
        guard sockets.count < Self.limit else { return }
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return }
        shutdown(duplicate, Int32(SHUT_WR))
        sockets.append((duplicate, now + Self.milliseconds))
    }

    /// Reads what has come. Call now and then while there are any.
    mutating func drain(now: UInt64) {
        sockets.removeAll { socket in
            guard now < socket.until, !Self.isOver(socket.descriptor) else {
                close(socket.descriptor)
                return true
            }
            return false
        }
    }

    /// Gives up on all of them.
    mutating func closeAll() {
        for socket in sockets { close(socket.descriptor) }
        sockets = []
    }

    private static func isOver(_ socket: Int32) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            // A sender faster than this is cut off by the deadline, not allowed to keep the loop busy.
            for _ in 0..<16 {
                let count = unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count > 0 { continue }
                return count == 0 || (errno != EAGAIN && errno != EINTR)
            }
            return false
        }
    }
}
