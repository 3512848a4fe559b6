internal import CCurl
internal import Glibc
internal import Platform

/// One connection, which libcurl has opened, encrypted and logged in on, and which then carries our bytes.
///
/// Owns the libcurl handle; the pointer never leaves this file. Every call blocks the thread, at most as long as the server's `timeout`.
@safe final class SMTPConnection {
    /// What the server offered in its last reply to EHLO.
    let capabilities: SMTPCapabilities

    private let handle: UnsafeMutableRawPointer
    private let socket: curl_socket_t
    private let timeout: Duration
    private let patience: StopPatience

    /// Whether a wait may be given up when the process stops: true but for the time between a message and the reply to it.
    var mayGiveUp: Bool {
        get { patience.mayGiveUp }
        set { patience.mayGiveUp = newValue }
    }

    /// Opens a connection: TCP, TLS or STARTTLS, EHLO, AUTH.
    ///
    /// `CURLOPT_CONNECT_ONLY` makes libcurl stop there. It also makes libcurl treat the connection as none of its business at the end, so that
    /// freeing the handle neither sends QUIT nor waits for a reply.
    ///
    /// `isStopping` is asked again and again during waits.
    init(_ server: SMTPServer, isStopping: @escaping () -> Bool) throws(SMTPError) {
        guard CurlLibrary.isReady, let handle = unsafe curl_easy_init() else { throw .setUpFailed(cause: "curl_easy_init") }
        let patience = StopPatience(isStopping)
        self.patience = patience
        do throws(SMTPError) {
            let (capabilities, socket) = try unsafe Self.open(handle, server, patience)
            self.capabilities = capabilities
            self.socket = socket
        } catch {
            unsafe curl_easy_cleanup(handle)
            throw error
        }
        unsafe self.handle = handle
        timeout = server.timeout
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
    }

    /// Sends all of `bytes`. `sent` counts what was taken, also when this throws.
    func send(_ bytes: [UInt8], sent: inout Int) throws(SMTPError) {
        sent = 0
        while sent < bytes.count {
            var count = 0
            let offset = sent
            let result = unsafe bytes.withUnsafeBytes {
                unsafe curl_easy_send(handle, $0.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
            }
            sent += count
            switch result {
            case CURLE_OK: continue
            case CURLE_AGAIN: try wait(for: POLLOUT, .sending, at: .now + timeout)
            default: throw .connectionLost(cause: unsafe String(cString: curl_easy_strerror(result)))
            }
        }
    }

    /// Receives what is there, waiting for it until `deadline`, and appends it through `take`.
    func receive(until deadline: ContinuousClock.Instant, _ take: (UnsafeRawBufferPointer) -> Void) throws(SMTPError) {
        // TLS may hold decrypted bytes of which the socket knows nothing, so reading comes before waiting.
        while try unsafe !receiveNow(take) {
            try wait(for: POLLIN, .reply, at: deadline)
        }
    }

    /// Receives what is there without waiting; false when nothing is.
    func receiveNow(_ take: (UnsafeRawBufferPointer) -> Void) throws(SMTPError) -> Bool {
        try unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer throws(SMTPError) in
            var count = 0
            let result = unsafe curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
            switch result {
            case CURLE_OK:
                guard count > 0 else { throw .connectionLost(cause: "closed by the server") }
                unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return true
            case CURLE_AGAIN:
                return false
            default:
                throw .connectionLost(cause: unsafe String(cString: curl_easy_strerror(result)))
            }
        }
    }

    private func wait(for events: Int32, _ stage: SMTPError.Stage, at deadline: ContinuousClock.Instant) throws(SMTPError) {
        while true {
            let left = (deadline - .now).wholeMilliseconds
            guard left >= 0 else { throw .timedOut(stage: stage) }
            guard !patience.isOver else { throw patience.mayGiveUp ? .stopped : .timedOut(stage: stage) }
            var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
            // One more, because a fraction of a millisecond left would make poll return at once, again and again.
            let ready = unsafe poll(&descriptor, 1, Int32(min(left + 1, StopPatience.pulse)))
            if ready > 0 { return }
            if ready < 0 && errno != EINTR { throw .connectionLost(cause: "poll: error \(errno)") }
        }
    }

    private static func open(
        _ handle: UnsafeMutableRawPointer, _ server: SMTPServer, _ patience: StopPatience
    ) throws(SMTPError) -> (SMTPCapabilities, curl_socket_t) {
        let log = ReplyLog()
        return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { detail throws(SMTPError) in
            unsafe detail.initialize(repeating: 0)
            // The handle outlives both buffer and log, so it must let go of them.
            defer {
                unsafe postern_curl_set_error_buffer(handle, nil)
                unsafe postern_curl_set_line_callback(handle, nil, nil)
                unsafe postern_curl_set_progress_callback(handle, nil, nil)
            }
            try unsafe configure(handle, server)
            unsafe postern_curl_set_error_buffer(handle, detail.baseAddress)
            unsafe postern_curl_set_line_callback(handle, ReplyLog.callback, Unmanaged.passUnretained(log).toOpaque())
            unsafe postern_curl_set_progress_callback(handle, StopPatience.callback, Unmanaged.passUnretained(patience).toOpaque())
            let result = withExtendedLifetime((log, patience)) { unsafe curl_easy_perform(handle) }
            guard result != CURLE_ABORTED_BY_CALLBACK else { throw .stopped }
            guard result == CURLE_OK else {
                var verification = 0
                unsafe postern_curl_get_number(handle, CURLINFO_SSL_VERIFYRESULT, &verification)
                let words = unsafe detail.baseAddress.map { unsafe String(cString: $0) } ?? ""
                throw SMTPError(
                    .init(
                        result: result.rawValue, verification: verification,
                        detail: words.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : words,
                        replies: log.replies, malformed: log.malformed, host: server.host))
            }
            // libcurl goes on without a login when the server offers none.
            guard server.username == nil || log.replies.contains(where: { $0.code == 235 }) else { throw .loginNotOffered }
            var socket = CURL_SOCKET_BAD
            unsafe postern_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &socket)
            guard socket != CURL_SOCKET_BAD else { throw .setUpFailed(cause: "CURLINFO_ACTIVESOCKET") }
            let greeting = log.replies.last { $0.code == 250 }
            return (greeting.map(SMTPCapabilities.init) ?? SMTPCapabilities(), socket)
        }
    }

    private static func configure(_ handle: UnsafeMutableRawPointer, _ server: SMTPServer) throws(SMTPError) {
        func set(_ option: CURLoption, _ value: Int) throws(SMTPError) {
            let result = unsafe postern_curl_set_number(handle, option, value)
            guard result == CURLE_OK else { throw .setUpFailed(cause: "libcurl option \(option.rawValue)") }
        }
        func set(_ option: CURLoption, _ value: String) throws(SMTPError) {
            let result = unsafe postern_curl_set_string(handle, option, value)
            guard result == CURLE_OK else { throw .setUpFailed(cause: "libcurl option \(option.rawValue)") }
        }
        // Threads: no signals for time limits (libcurl's resolver has a thread of its own here).
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // The name said in EHLO is the path of the URL; there is no option for it.
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        try set(CURLOPT_URL, "\(server.scheme.rawValue)://\(host):\(server.port)/\(server.helo ?? "")")
        // Nothing from the environment or the home directory: no proxy, no .netrc.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_TCP_NODELAY, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(server.timeout.wholeMilliseconds))
        try set(CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(server.timeout.components.seconds))
        let encryption = server.mustEncrypt ? CURLUSESSL_ALL : server.tls == .opportunistic ? CURLUSESSL_TRY : CURLUSESSL_NONE
        try set(CURLOPT_USE_SSL, Int(encryption.rawValue))
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let caFile = server.caFile { try set(CURLOPT_CAINFO, caFile) }
        if let username = server.username {
            try set(CURLOPT_USERNAME, username)
            if let token = server.accessToken {
                // OAUTHBEARER where it is offered, else XOAUTH2.
                try set(CURLOPT_XOAUTH2_BEARER, try token.read().exposed)
            } else if let password = server.password {
                try set(CURLOPT_PASSWORD, password.exposed)
            }
            // Saves a round trip (RFC 4954 §4).
            try set(CURLOPT_SASL_IR, 1)
        }
    }
}

/// libcurl's process-wide set-up.
private enum CurlLibrary {
    /// Once a process and never undone: libcurl wants it before the first handle, and its undoing would pull OpenSSL away from others. A lazy
    /// static is made by exactly one thread.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// How long waits go on once the process stops: not at all, or, for the reply to a message that is on its way, a few seconds.
private final class StopPatience {
    /// In milliseconds, how often a wait looks whether the process stops.
    static let pulse: Int64 = 200
    /// For the reply to a message, counted from the first look that saw the stop.
    private static let grace: Duration = .seconds(5)

    var mayGiveUp = true
    private let isStopping: () -> Bool
    private var end: ContinuousClock.Instant?

    init(_ isStopping: @escaping () -> Bool) {
        self.isStopping = isStopping
    }

    var isOver: Bool {
        guard isStopping() else { return false }
        if mayGiveUp { return true }
        let end = end ?? .now + Self.grace
        self.end = end
        return .now >= end
    }

    /// What libcurl asks while it opens a connection; anything but 0 makes it give up.
    static let callback: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) -> Int32 = {
        context, _, _, _, _ in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<StopPatience>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
    }
}

/// The replies that libcurl sees while it opens a connection; it tells of them only line by line.
private final class ReplyLog {
    private(set) var replies: [SMTPReply] = []
    private(set) var malformed: SMTPReplyParser.Malformed?
    private var parser = SMTPReplyParser()

    /// What libcurl calls with each line; anything but the line's length makes it give up.
    static let callback: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        line, size, count, context in
        guard let line = unsafe line, let context = unsafe context else { return 0 }
        let log = unsafe Unmanaged<ReplyLog>.fromOpaque(context).takeUnretainedValue()
        let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
        return unsafe log.take(bytes) ? size * count : 0
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe parser.append(bytes)
        do throws(SMTPReplyParser.Malformed) {
            while let reply = try parser.next() { replies.append(reply) }
        } catch {
            malformed = error
            return false
        }
        // Greeting, EHLO, STARTTLS, EHLO and a login of a few steps; a server that goes on is not talking to us.
        return replies.count <= 32
    }
}
