/// Where a request's body ends (RFC 9112 section 6), as far as libmicrohttpd and every proxy before it must agree.
struct RequestFraming {
    /// Nil for a chunked body and for none.
    let contentLength: Int?

    /// Nil when the fields are ambiguous: both a length and a transfer coding, either of them twice, a coding other than `chunked`, a
    /// coding in HTTP/1.0, a length that is not a number, more or fewer than one Host in HTTP/1.1.
    init?(headers: HTTPHeaders, isHTTP10: Bool) {
        var length: String?
        var coding: String?
        var hosts = 0
        var ambiguous = false
        headers.forEach { name, value in
            switch name.utf8.count {
            case 4 where HTTPHeaders.same(name, "Host"):
                hosts += 1
            case 14 where HTTPHeaders.same(name, "Content-Length"):
                if length != nil { ambiguous = true }
                length = value
            case 17 where HTTPHeaders.same(name, "Transfer-Encoding"):
                if coding != nil { ambiguous = true }
                coding = value
            default: break
            }
        }
        guard !ambiguous, length == nil || coding == nil, hosts == 1 || (isHTTP10 && hosts == 0) else { return nil }
        if let coding { guard HTTPHeaders.same(coding, "chunked"), !isHTTP10 else { return nil } }
        guard let length else {
            contentLength = nil
            return
        }
        guard !length.isEmpty, length.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
        // Larger than any Int is larger than any limit.
        contentLength = Int(length) ?? .max
    }
}
