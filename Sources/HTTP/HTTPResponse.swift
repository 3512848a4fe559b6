/// An answer. The server adds `Date`, `Content-Length` and `Connection` itself and leaves such fields of a responder out.
public struct HTTPResponse: Sendable {
    /// What follows the headers.
    public enum Body: Sendable {
        /// Nothing; `Content-Length: 0` where a length is allowed.
        case none
        /// Bytes made for this answer.
        case bytes([UInt8])
        /// Bytes that many answers share; sent without a copy.
        case `static`(SharedBody)
    }

    /// The status code, 200 to 599; anything else is sent as 500.
    public var status: Int
    /// The fields. One with an empty value is not sent.
    public var headers: HTTPHeaders
    /// The body. Answers to HEAD, and 204 and 304, go out without it.
    public var body: Body

    /// Makes an answer.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
