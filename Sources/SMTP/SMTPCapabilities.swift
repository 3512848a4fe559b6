/// What a mail server offered in its last reply to EHLO (RFC 5321 §4.1.1.1), as far as we make use of it.
struct SMTPCapabilities: Sendable, Equatable {
    /// Commands may be sent in groups (RFC 2920).
    var pipelining = false
    /// The size of a message may be declared (RFC 1870).
    var size = false
    /// Addresses and headers may be in UTF-8 (RFC 6531).
    var smtpUTF8 = false

    /// A server that offers nothing, such as one that knows HELO only.
    init() {}

    /// Reads the reply to EHLO; its first line is the server's name.
    init(_ reply: SMTPReply) {
        for line in reply.lines.dropFirst() {
            let keyword = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "=") }
            switch String(decoding: keyword, as: UTF8.self).uppercased() {
            case "PIPELINING": pipelining = true
            case "SIZE": size = true
            case "SMTPUTF8": smtpUTF8 = true
            default: break
            }
        }
    }
}
