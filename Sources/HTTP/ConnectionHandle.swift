internal import CMicroHTTPD
internal import Glibc

/// A connection as libmicrohttpd keeps it. Valid on its loop's thread, from the notification that it began until the one that it ended.
@safe struct ConnectionHandle {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// For `ResponseHandle` alone, which needs both pointers in one call.
    @unsafe func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }

    /// Stops reading and watching the connection; only from within its access callback.
    func suspend() {
        unsafe MHD_suspend_connection(pointer)
    }

    /// Marks a suspended connection; the next run of the daemon calls its access callback.
    func resume() {
        unsafe MHD_resume_connection(pointer)
    }

    /// The socket; it stays libmicrohttpd's.
    var socket: Int32 { unsafe postern_connection_socket(pointer) }

    /// The peer.
    var peer: PeerAddress { unsafe PeerAddress(postern_connection_address(pointer)) }

    /// The request's fields; nil when the header block is not exactly what well-formed lines take.
    ///
    /// libmicrohttpd 0.9.75 accepts bare LF as a line end, folds lines wrongly and cuts values at NUL, all of which a proxy before it may
    /// read otherwise (RFC 9112 sections 2.2 and 5.2). It parses in place, so with CRLF and nothing else every field begins exactly where
    /// the one before it ended; any of those tricks leaves a gap.
    func parseFields(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> HTTPHeaders? {
        var reading = unsafe Reading(expected: UnsafeRawPointer(version) + 8 + 2)
        unsafe withUnsafeMutablePointer(to: &reading) { context in
            _ = unsafe MHD_get_connection_values_n(
                pointer, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    guard let context = unsafe context?.assumingMemoryBound(to: Reading.self), let name = unsafe name,
                        let value = unsafe value
                    else { return .NO }
                    return unsafe context.pointee.add(
                        name: UnsafeRawBufferPointer(start: name, count: nameLength),
                        value: UnsafeRawBufferPointer(start: value, count: valueLength)) ? .YES : .NO
                }, context)
        }
        let end = unsafe UnsafeRawPointer(method) + postern_connection_header_size(pointer)
        guard reading.intact, unsafe reading.expected + 2 == end else { return nil }
        return reading.headers
    }

    @safe private struct Reading {
        var headers = HTTPHeaders()
        var intact = true
        var expected: UnsafeRawPointer

        init(expected: UnsafeRawPointer) {
            unsafe self.expected = expected
            headers.reserve(8)
        }

        mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
            guard let start = name.baseAddress, let valueStart = value.baseAddress, unsafe start == expected,
                unsafe valueStart > start + name.count, name.count > 0, unsafe name.allSatisfy(HTTPHeaders.isTokenByte)
            else {
                intact = false
                return false
            }
            // A lone CR is no line end here and may be one elsewhere; no control character belongs into a value (RFC 9110 section 5.5).
            guard unsafe value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                intact = false
                return false
            }
            unsafe expected = valueStart + value.count + 2
            var kept = unsafe value[...]
            while let last = unsafe kept.last, last == 0x20 || last == 0x09 { unsafe kept.removeLast() }
            let text = unsafe String(decoding: kept, as: UTF8.self)
            unsafe headers.addParsed(String(decoding: name, as: UTF8.self), text)
            return true
        }
    }
}
