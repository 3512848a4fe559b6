/// A request, complete: the body has arrived and is within the limit.
public struct HTTPRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The request target exactly as sent, percent-encoding untouched. Bytes outside of printable ASCII arrive only as valid UTF-8; other
    /// targets are answered with 400.
    public let target: String
    /// The target's path, as sent, without the query. Scheme and host of an absolute target (RFC 9112 section 3.2.2) are left out.
    public let path: String
    /// The fields, in order. Bytes that are not UTF-8 are replaced by U+FFFD.
    public let headers: HTTPHeaders
    /// The body; empty when there is none.
    public let body: [UInt8]
    /// The peer's numeric IP address without a port, such as `192.0.2.1` or `2001:db8::1`; an IPv4 peer of an IPv6 socket looks like IPv4.
    public let remoteAddress: String
    /// The peer's port.
    public let remotePort: Int

    private let identifier: RequestIdentifier
    private let queryStart: String.Index?

    /// Makes a request, for the server and for tests of responders.
    public init(
        method: HTTPMethod = .get, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1", remotePort: Int = 0, id: String = "test"
    ) {
        self.init(
            method: method, target: target, headers: headers, body: body, remoteAddress: remoteAddress, remotePort: remotePort,
            identifier: RequestIdentifier(prefix: id, number: nil))
    }

    init(
        method: HTTPMethod, target: String, headers: HTTPHeaders, body: [UInt8], remoteAddress: String, remotePort: Int,
        identifier: RequestIdentifier
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.identifier = identifier
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.queryStart = mark.map { target.utf8.index(after: $0) }
        self.path =
            if target.utf8.first == UInt8(ascii: "/") {
                mark.map { String(target[..<$0]) } ?? target
            } else {
                Self.pathOfAbsolute(target[..<(mark ?? target.endIndex)])
            }
    }

    /// The query as sent, without the `?`; nil when the target has none.
    public var rawQuery: String? { queryStart.map { String(target[$0...]) } }

    /// Names this request in logs: the process's random prefix and a counter.
    public var id: String { identifier.description }

    /// The query's items, in order, percent-decoded (RFC 3986 section 2.1); `+` stays `+`.
    ///
    /// The value is nil when name or value is malformed (`%` without two hex digits, or not UTF-8 once decoded); the name is then as sent.
    public func queryItems() -> [(name: String, value: String?)] {
        guard let queryStart else { return [] }
        return URLEncodedItems.parse(target[queryStart...].utf8, plusIsSpace: false)
    }

    /// The items of an `application/x-www-form-urlencoded` body, in order; `+` is a space. Malformed items as in `queryItems()`.
    public static func formItems(_ body: [UInt8]) -> [(name: String, value: String?)] {
        URLEncodedItems.parse(body, plusIsSpace: true)
    }

    private static func pathOfAbsolute(_ target: Substring) -> String {
        guard let scheme = schemeLength(target) else { return String(target) }
        let rest = target.utf8.dropFirst(scheme)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(target[slash...])
    }

    /// How many bytes `http://` or `https://` takes at the beginning; nil when neither is there.
    static func schemeLength(_ target: some StringProtocol) -> Int? {
        ["http://", "https://"].first { HTTPHeaders.same(String(decoding: target.utf8.prefix($0.utf8.count), as: UTF8.self), $0) }?.utf8
            .count
    }
}
