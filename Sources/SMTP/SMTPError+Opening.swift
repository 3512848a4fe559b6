extension SMTPError {
    /// What libcurl and the server said when a connection did not come about; a pure function, so that it can be tested as a table.
    struct Opening: Sendable {
        /// libcurl's result (`CURLcode`).
        var result: UInt32
        /// OpenSSL's verdict on the certificate (`X509_V_…`), 0 when there is none.
        var verification: Int = 0
        /// libcurl's own words.
        var detail: String = ""
        /// The replies so far, the greeting first.
        var replies: [SMTPReply] = []
        /// What a reply broke, if it did.
        var malformed: SMTPReplyParser.Malformed?
        /// The server's host.
        var host: String
    }

    /// Names the failure. The numbers are those of curl/curl.h, which promises never to change them.
    init(_ opening: Opening) {
        let detail = String(printable: opening.detail.utf8)
        let last = opening.replies.last
        if let malformed = opening.malformed {
            self = .protocolViolation(cause: malformed.sentence)
            return
        }
        switch opening.result {
        case 5, 6:
            self = .cannotResolve(host: opening.host)
        case 7:
            self = .cannotConnect(cause: detail)
        case 28:
            self = .timedOut(stage: .opening)
        case 35:
            self = .tlsFailed(cause: detail)
        case 60:
            self = Self.certificate(opening.verification, detail)
        case 64:
            // Offered and then refused is something else than not offered, which may be an attack.
            self = last.flatMap { $0.kind >= 4 ? .tlsFailed(cause: $0.summary) : nil } ?? .tlsNotOffered
        case 67, 94:
            self = last.flatMap { $0.kind >= 4 ? .loginRefused(code: $0.code) : nil } ?? .loginNotOffered
        case 77:
            self = .trustUnreadable(cause: detail)
        case 8, 9, 52, 55, 56, 81:
            // A refusal explains the failure better than what libcurl made of it.
            if let last, last.kind >= 4 {
                self = .greetingRefused(reply: last.summary)
            } else if opening.result == 8 || opening.result == 9 {
                self = .protocolViolation(cause: last?.summary ?? detail)
            } else {
                self = .connectionLost(cause: detail)
            }
        default:
            self = .setUpFailed(cause: "libcurl error \(opening.result): \(detail)")
        }
    }

    private static func certificate(_ verification: Int, _ detail: String) -> SMTPError {
        switch verification {
        // X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
        case 9, 10: .certificateExpired(cause: detail)
        // The chain is good or not asked about yet (libcurl's 1) when libcurl compares the names; 62 and 64 are OpenSSL's own comparison.
        case 0, 1, 62, 64: detail.contains("name") ? .certificateNameMismatch(cause: detail) : .certificateNotTrusted(cause: detail)
        default: .certificateNotTrusted(cause: detail)
        }
    }
}
