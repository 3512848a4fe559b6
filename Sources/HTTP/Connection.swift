internal import Glibc

/// One connection and the request it is at. Lives on its loop's thread; libmicrohttpd holds it from the first notification to the last.
@safe final class Connection {
    private enum Phase {
        /// Between requests; what there may be of the next one's first line is not known.
        case idle
        /// The first line is there, the header fields are not.
        case began
        /// The body is on its way.
        case receiving
        /// A task works on it, the connection is suspended.
        case waiting(Exchange, Task<Void, Never>)
        /// Resumed by the shutdown; to be answered with this in the next run of the daemon.
        case interrupted(HTTPResponse)
        /// The answer is libmicrohttpd's.
        case answered
    }

    private let handle: ConnectionHandle
    private unowned let loop: ConnectionLoop
    private let socket: Int32
    private let peer: PeerAddress
    private var phase = Phase.idle
    private var target: String?
    private var method = HTTPMethod.get
    private var headers = HTTPHeaders()
    private var body: [UInt8] = []
    /// Whether the client may still be sending when the connection is closed.
    private var lingers = false
    /// Where the loop keeps it.
    var position = 0
    /// When the phase began, on the loop's clock.
    private var since: UInt64

    init(_ handle: ConnectionHandle, loop: ConnectionLoop) {
        self.handle = handle
        self.loop = loop
        self.socket = handle.socket
        self.peer = handle.peer
        self.since = loop.now
    }

    // MARK: What libmicrohttpd tells, in this order

    /// The first line is there.
    func began(target raw: UnsafePointer<CChar>?) {
        phase = .began
        since = loop.now
        target = unsafe raw.flatMap { unsafe Self.targetText($0) }
        loop.requestBegan()
    }

    /// First with the header complete, then with each part of the body, then without one. False closes the connection at once.
    func access(method token: UnsafePointer<CChar>, version: UnsafePointer<CChar>, part: UnsafeRawBufferPointer) -> Bool {
        let partLength = part.count
        switch phase {
        case .began:
            phase = .receiving
            guard let fields = unsafe handle.parseFields(method: token, version: version) else { return refuse(.badRequest) }
            method = unsafe Self.method(token)
            headers = fields
            let isHTTP10 = unsafe version[7] == CChar(bitPattern: UInt8(ascii: "0"))
            guard target != nil, let framing = RequestFraming(headers: fields, isHTTP10: isHTTP10) else { return refuse(.badRequest) }
            return admit(framing)
        case .receiving where partLength == 0:
            return dispatch()
        case .receiving:
            guard partLength <= loop.configuration.maximumBodyBytes - body.count else {
                // libmicrohttpd takes no answer in the middle of a body, so this one goes out past it, and the connection ends.
                lingers = true
                HTTPRefusal.tooLarge.send(loop.responder.response(to: .tooLarge), to: socket)
                return false
            }
            unsafe body.append(contentsOf: part)
            return true
        case .waiting(let exchange, _):
            guard let response = exchange.takeOrWait() else { return false }
            return queue(response)
        case .interrupted(let response):
            return queue(response)
        case .idle, .answered:
            return false
        }
    }

    /// The answer was sent, or the connection broke. Comes exactly once for each `began`.
    func completed() {
        if case .waiting(let exchange, _) = phase { exchange.abandon() }
        phase = .idle
        since = loop.now
        target = nil
        headers = HTTPHeaders()
        if !body.isEmpty { body = [] }
        loop.requestEnded()
    }

    /// The socket is about to be closed.
    func closed() {
        loop.closed(self, lingeringSocket: lingers ? socket : nil)
    }

    // MARK: What the loop tells

    /// The task has answered.
    func resume() {
        handle.resume()
    }

    /// Answers now, whatever the task does. Only while suspended.
    func interrupt(with response: HTTPResponse) {
        guard case .waiting(let exchange, let task) = phase else { return }
        exchange.abandon()
        task.cancel()
        phase = .interrupted(response)
        handle.resume()
    }

    /// Ends the connection if it was idle, or its request on the way, for longer than `limit` milliseconds.
    ///
    /// libmicrohttpd measures from the last byte, so one byte at a time would hold a connection for ever.
    func end(ifSlowerThan limit: UInt64) {
        switch phase {
        case .idle, .began, .receiving:
            if loop.now - since > limit { shutdown(socket, Int32(SHUT_RDWR)) }
        case .waiting, .interrupted, .answered: break
        }
    }

    /// Ends the connection if it is between requests.
    func endIfIdle() {
        if case .idle = phase { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    // MARK: Steps

    private func admit(_ framing: RequestFraming) -> Bool {
        if let length = framing.contentLength {
            guard length <= loop.configuration.maximumBodyBytes else { return refuse(.tooLarge) }
            // A client's promise is no reason to set much memory aside.
            body.reserveCapacity(min(length, 64 << 10))
        }
        return true
    }

    /// Answers before the body was read, after which libmicrohttpd closes the connection.
    private func refuse(_ refusal: HTTPRefusal) -> Bool {
        lingers = true
        return queue(loop.responder.response(to: refusal))
    }

    private func dispatch() -> Bool {
        guard let target else { return false }
        guard !loop.refusesWork else { return queue(loop.responder.response(to: .unavailable)) }
        let number = loop.nextNumber()
        let request = HTTPRequest(
            method: method, target: target, headers: headers, body: body, remoteAddress: peer.host, remotePort: peer.port,
            identifier: RequestIdentifier(prefix: loop.configuration.requestIDPrefix, number: number))
        let responder = loop.responder
        if body.isEmpty, let response = responder.immediateResponse(to: request) { return queue(response) }
        let exchange = Exchange(number: number, executor: loop.executor)
        // Runs up to the handler's first wait right here; a handler that does not wait costs no suspension.
        let task = Task.immediate(executorPreference: loop.executor) {
            exchange.answer(await responder.respond(to: request))
        }
        if let response = exchange.takeOrWait() { return queue(response) }
        phase = .waiting(exchange, task)
        loop.suspended(self, exchange: number)
        handle.suspend()
        return true
    }

    private func queue(_ response: HTTPResponse) -> Bool {
        phase = .answered
        let closing = loop.isDraining || lingers
        let status = (200...599).contains(response.status) ? response.status : 500
        let made: ResponseHandle? =
            switch response.body {
            case .static(let body) where !closing: body.response(headers: response.headers)
            case .static(let body): ResponseHandle(shared: body.bytes, headers: response.headers, closing: closing)
            case .bytes(let bytes): ResponseHandle(copying: bytes, headers: response.headers, closing: closing)
            case .none: ResponseHandle(copying: [], headers: response.headers, closing: closing)
            }
        return made?.queue(on: handle, status: status) ?? false
    }

    /// Nil unless the bytes are visible ASCII or UTF-8, and the form is one of RFC 9112 section 3.2 that an origin server serves.
    private static func targetText(_ raw: UnsafePointer<CChar>) -> String? {
        let bytes = unsafe UnsafeBufferPointer(start: UnsafeRawPointer(raw).assumingMemoryBound(to: UInt8.self), count: strlen(raw))
        guard unsafe bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let text = unsafe String(validating: bytes, as: UTF8.self),
            text.utf8.first == UInt8(ascii: "/") || text == "*" || HTTPRequest.schemeLength(text) != nil
        else { return nil }
        return text
    }

    private static func method(_ token: UnsafePointer<CChar>) -> HTTPMethod {
        if unsafe strcmp(token, "GET") == 0 { return .get }
        if unsafe strcmp(token, "POST") == 0 { return .post }
        return unsafe HTTPMethod(String(cString: token))
    }
}
