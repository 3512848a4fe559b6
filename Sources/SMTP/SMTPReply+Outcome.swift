internal import Mail

extension SMTPReply {
    /// The parts of a transaction in which a server can say no.
    enum Stage: Sendable {
        /// MAIL FROM: it knows the sender only.
        case sender
        /// RCPT TO.
        case recipient
        /// DATA and the message itself.
        case message
    }

    /// What a refusal means for the message; nil for a reply that is none. The first row that fits decides.
    ///
    /// | reply | where | outcome |
    /// |---|---|---|
    /// | 421, 454 | anywhere | unreachable: the server as a whole says "later" |
    /// | 530, 534, 535, 538; 5yz with x.7.8, x.7.9, x.7.11, x.7.57 | anywhere | unreachable: it wants a login or TLS first (RFC 4954 §6) |
    /// | 500, 502, 503 | MAIL | unreachable: it does not know what we say |
    /// | x.7.z | MAIL | sender refused, for the project |
    /// | x.1.7, x.1.8 | anywhere | sender refused, for the project (RFC 3463 §3.2: bad sender's address) |
    /// | 5yz or 4yz with a status of `sendersFault` | RCPT, DATA | sender refused, for the recipient's domain |
    /// | other 4yz | anywhere | deferred |
    /// | 5yz with x.1.1, 2, 3, 6, 10, x.2.1 | RCPT, DATA | recipient refused |
    /// | other 5yz | anywhere | refused: 5.7.1, for one, is a policy about sender, text or recipient, and nobody can tell which |
    ///
    /// A bare 550 is such a one too: servers also refuse to relay by it, and one that is set up wrongly must not make every address bad.
    func refusal(at stage: Stage) -> DeliveryOutcome? {
        guard kind == 4 || kind == 5 else { return nil }
        if isAboutTheServer(at: stage) { return .unreachable(reason: summary) }
        if let scope = senderScope(at: stage) { return .senderRefused(reply: summary, scope: scope) }
        if kind == 4 { return .deferred(reply: summary) }
        return isAboutTheRecipient(at: stage) ? .recipientRefused(reply: summary, status: status) : .refused(reply: summary)
    }

    private func isAboutTheServer(at stage: Stage) -> Bool {
        if [421, 454, 530, 534, 535, 538].contains(code) { return true }
        if kind == 5, let status, status.subject == 7, [8, 9, 11, 57].contains(status.detail) { return true }
        return stage == .sender && [500, 502, 503].contains(code)
    }

    private func senderScope(at stage: Stage) -> DeliveryOutcome.SenderScope? {
        guard let status else { return nil }
        switch (status.subject, status.detail) {
        case (1, 7), (1, 8): return .project
        case (7, _) where stage == .sender && kind == 5: return .project
        case (7, let detail) where Self.isSendersFault(detail): return stage == .sender ? .project : .recipientDomain
        default: return nil
        }
    }

    /// Details of x.7.z by which a receiver rejects a sender: failed or missing DKIM, SPF, DMARC, ARC and reverse DNS (RFC 7372, RFC 8616,
    /// 20 to 30), DMARC as some say it (40), and the numbers of a large provider for unauthenticated or blocked senders, relays and addresses
    /// (64, 501 to 515, 606 to 649, 705, 708, 750).
    private static func isSendersFault(_ detail: Int) -> Bool {
        switch detail {
        case 20...30, 40, 60, 64, 501...515, 606...649, 705, 708, 750: true
        default: false
        }
    }

    private func isAboutTheRecipient(at stage: Stage) -> Bool {
        stage != .sender && status?.isBadAddress == true
    }
}
