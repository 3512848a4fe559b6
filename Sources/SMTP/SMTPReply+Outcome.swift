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

    /// What a refusal means for the message; nil for a reply that is none.
    ///
    /// | reply | where | outcome |
    /// |---|---|---|
    /// | 421, 454 | anywhere | unreachable: the server as a whole says "later" |
    /// | 530, 534, 535, 538 | anywhere | unreachable: it wants a login or TLS first (RFC 4954 §6) |
    /// | x.7.20 to x.7.30, x.7.40, x.7.515 with 5yz | anywhere | unreachable: our DKIM, SPF, DMARC or reverse DNS (RFC 7372 and large providers) |
    /// | 500, 502, 503; 5yz with x.7.z | MAIL | unreachable: it does not want us or our sender at all |
    /// | other 4yz | anywhere | deferred |
    /// | other 5yz | anywhere | refused |
    func refusal(at stage: Stage) -> DeliveryOutcome? {
        switch kind {
        case 4: code == 421 || code == 454 ? .unreachable(reason: summary) : .deferred(reply: summary)
        case 5: isOurs(at: stage) ? .unreachable(reason: summary) : .refused(reply: summary)
        default: nil
        }
    }

    /// Whether the operator of this service must act, rather than the recipient being at fault.
    private func isOurs(at stage: Stage) -> Bool {
        if [530, 534, 535, 538].contains(code) { return true }
        if let status, status.subject == 7 {
            if stage == .sender { return true }
            if (20...30).contains(status.detail) || status.detail == 40 || status.detail == 515 { return true }
        }
        return stage == .sender && [500, 502, 503].contains(code)
    }
}
