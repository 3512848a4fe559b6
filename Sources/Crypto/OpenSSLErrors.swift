internal import COpenSSL

/// The calling thread's OpenSSL error queue.
///
/// The queue belongs to the thread, not to the call: what one operation leaves behind, the next one on this thread (ours, libcurl's)
/// would report as its own. So every failure drains it.
enum OpenSSLErrors {
    /// Empties the queue and returns the latest error's reason.
    ///
    /// The latest, as older ones may be somebody else's. Only the constant reason text: data attached to an error is never read.
    static func drain() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return "no reason given" }
        return unsafe String(cString: reason)
    }

    /// Empties the queue after a call whose failure is an ordinary answer.
    static func clear() {
        ERR_clear_error()
    }

    static var isEmpty: Bool { ERR_peek_error() == 0 }
}
