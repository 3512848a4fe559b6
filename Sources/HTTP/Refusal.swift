internal import Glibc

/// The answers that the server gives without asking the responder.
enum Refusal {
    case badRequest
    case tooLarge
    case unavailable

    private var status: (code: Int, reason: String) {
        switch self {
        case .badRequest: (400, "Bad Request")
        case .tooLarge: (413, "Content Too Large")
        case .unavailable: (503, "Service Unavailable")
        }
    }

    private var text: String { "\(status.code) \(status.reason)\n" }

    var response: HTTPResponse {
        HTTPResponse(status: status.code, headers: HTTPHeaders([("Content-Type", "text/plain")]), body: .bytes(Array(text.utf8)))
    }

    /// Writes the answer to a socket that nothing else writes to. One that is full gets nothing: its client does not read.
    func send(to socket: Int32) {
        let message =
            "HTTP/1.1 \(status.code) \(status.reason)\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(text)"
        let bytes = Array(message.utf8)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}
