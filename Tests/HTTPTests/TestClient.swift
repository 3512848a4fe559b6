import Glibc

/// A response as it came over the wire.
struct WireResponse: Equatable {
    var status: Int
    var head: String
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}

/// What went wrong on the client's side.
enum ClientError: Error {
    case connect(Int32)
    case closed
    case reset
    case timeout
    case malformed(String)
}

/// A bare HTTP client over one blocking socket: sends what it is told and reads what comes.
final class TestClient {
    let socket: Int32
    private var received: [UInt8] = []

    init(port: Int, host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        let six = host.contains(":")
        socket = Glibc.socket(six ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer { _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        let result: Int32
        if six {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(port).bigEndian
            _ = unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
            result = unsafe withUnsafePointer(to: &address) {
                unsafe connect(
                    socket, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            _ = unsafe inet_pton(AF_INET, host, &address.sin_addr)
            result = unsafe withUnsafePointer(to: &address) {
                unsafe connect(
                    socket, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ClientError.connect(errno) }
    }

    deinit {
        close(socket)
    }

    /// Tells the kernel to reset instead of closing in order.
    func abort() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw ClientError.closed }
            rest = rest.dropFirst(count)
        }
    }

    /// False at the end of the stream.
    private func receive() throws -> Bool {
        let part = try unsafe [UInt8](unsafeUninitializedCapacity: 16384) { buffer, count throws(ClientError) in
            let got = unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
            guard got >= 0 else { throw errno == EAGAIN ? .timeout : .reset }
            count = got
        }
        received += part
        return !part.isEmpty
    }

    /// The next response, a 1xx one included. `head`: the response has no body whatever its length says.
    func response(head isHead: Bool = false) throws -> WireResponse {
        let mark = Array("\r\n\r\n".utf8)
        var found = received.firstRange(of: mark)
        while found == nil {
            guard try receive() else { throw ClientError.closed }
            found = received.firstRange(of: mark)
        }
        let end = found?.upperBound ?? 0
        let head = String(decoding: received[..<end], as: UTF8.self)
        guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw ClientError.malformed(head) }
        var response = WireResponse(status: status, head: head, body: [])
        received.removeFirst(end)
        if isHead || status < 200 || status == 204 || status == 304 { return response }
        guard let length = response.header("Content-Length").flatMap({ Int($0) }) else { throw ClientError.malformed(head) }
        while received.count < length {
            guard try receive() else { throw ClientError.closed }
        }
        response.body = Array(received.prefix(length))
        received.removeFirst(length)
        return response
    }

    /// Reads that many bytes and throws them away.
    func skip(_ count: Int) throws {
        while received.count < count {
            guard try receive() else { throw ClientError.closed }
        }
        received.removeFirst(count)
    }

    /// Whether the server ends the connection, in order, without sending anything more.
    func isClosed() throws -> Bool {
        if !received.isEmpty { return false }
        return try !receive()
    }

    /// All that still comes, up to the orderly end of the connection.
    func rest() throws -> [UInt8] {
        while try receive() {}
        defer { received = [] }
        return received
    }

    /// Sends a request of the usual form and reads the answer.
    func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws -> WireResponse {
        var message = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n" + headers.map { $0 + "\r\n" }.joined()
        if let body { message += "Content-Length: \(body.utf8.count)\r\n" }
        try send(message + "\r\n" + (body ?? ""))
        return try response(head: method == "HEAD")
    }
}
