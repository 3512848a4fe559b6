internal import CMicroHTTPD

/// An answer as libmicrohttpd keeps it.
///
/// `@unchecked Sendable` because: (1) libmicrohttpd counts references to an answer under the answer's own lock, so connections of several
/// loops can share one; (2) fields are added before the first of them gets it and never after; (3) `deinit` gives back our reference only.
@safe final class ResponseHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Copies the bytes. Nil when memory is out.
    init?(copying bytes: [UInt8], headers: HTTPHeaders, closing: Bool) {
        let made = unsafe bytes.withUnsafeBytes { buffer in
            unsafe MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made = unsafe made else { return nil }
        unsafe pointer = made
        add(headers, closing: closing)
    }

    /// Sends from `shared` itself and keeps it alive until the last connection is done with it. Nil when memory is out.
    init?(shared: SharedBytes, headers: HTTPHeaders, closing: Bool) {
        let reference = unsafe Unmanaged.passRetained(shared)
        let made = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            shared.count, shared.address,
            { raw in
                guard let raw = unsafe raw else { return }
                unsafe Unmanaged<SharedBytes>.fromOpaque(raw).release()
            }, reference.toOpaque())
        guard let made = unsafe made else {
            unsafe reference.release()
            return nil
        }
        unsafe pointer = made
        add(headers, closing: closing)
    }

    deinit {
        unsafe MHD_destroy_response(pointer)
    }

    /// Fields that frame the message are libmicrohttpd's business; a responder's would contradict them.
    private func add(_ headers: HTTPHeaders, closing: Bool) {
        headers.forEach { name, value in
            guard !value.isEmpty, !Self.framing.contains(where: { HTTPHeaders.same($0, name) }) else { return }
            unsafe MHD_add_response_header(pointer, name, value)
        }
        if closing { unsafe MHD_add_response_header(pointer, "Connection", "close") }
    }

    /// Hands the answer to a connection; false when the connection is in no state to take one.
    func queue(on connection: ConnectionHandle, status: Int) -> Bool {
        unsafe connection.withPointer { unsafe MHD_queue_response($0, UInt32(clamping: status), pointer) == .YES }
    }

    private static let framing = ["Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Keep-Alive"]
}
