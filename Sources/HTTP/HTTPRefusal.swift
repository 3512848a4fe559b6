internal import Glibc

/// Why the server answers a request without asking the responder for more than the words.
public enum HTTPRefusal: Int, Sendable, CaseIterable {
    /// Not a request that can be understood safely.
    case badRequest = 400
    /// The body is larger than `HTTPServerConfiguration.maximumBodyBytes`.
    case tooLarge = 413
    /// The server stops.
    case unavailable = 503

    /// The status line's words.
    var reason: String {
        switch self {
        case .badRequest: "Bad Request"
        case .tooLarge: "Content Too Large"
        case .unavailable: "Service Unavailable"
        }
    }

    /// What is answered unless the responder says otherwise.
    var plainResponse: HTTPResponse {
        HTTPResponse(
            status: rawValue, headers: HTTPHeaders([("Content-Type", "text/plain")]), body: .bytes(Array("\(rawValue) \(reason)\n".utf8)))
    }

    /// Writes an answer to a socket that nothing else writes to. One that is full gets nothing: its client does not read.
    func send(_ response: HTTPResponse, to socket: Int32) {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        var message = "HTTP/1.1 \(rawValue) \(reason)\r\n"
        for (name, value) in response.headers.pairs { message += "\(name): \(value)\r\n" }
        message += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(message.utf8) + body
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}
