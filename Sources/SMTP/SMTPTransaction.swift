internal import Mail

/// One message from MAIL to the reply after its dot: replies in, what to do next out, no input or output of its own (RFC 5321 §3.3).
struct SMTPTransaction: Sendable {
    /// What is to be done after a reply.
    enum Action: Sendable, Equatable {
        /// Wait for the next reply.
        case wait
        /// Send these commands, then wait.
        case send([UInt8])
        /// The server wants the message now.
        case sendContent
        /// This is what became of the message.
        case finished(DeliveryOutcome, Afterwards)
        /// The connection must be dropped, and what becomes of the message is not known.
        case broken(SMTPError)
    }

    /// What the connection is good for after a transaction.
    enum Afterwards: Sendable {
        /// The next one.
        case ready
        /// The next one after an RSET, because the server still holds a part of this envelope.
        case mustReset
        /// Nothing.
        case drop
    }

    /// The reply that is waited for.
    private enum Awaited: Sendable { case reset, sender, recipient, data, content, dot, loneDot }

    private let envelope: Envelope
    private let size: Int
    private let capabilities: SMTPCapabilities
    private var awaited: Awaited
    private var senderAccepted = false
    private var verdict: DeliveryOutcome?

    /// Makes a transaction; `size` is that of the message in bytes. `resetting` puts an RSET in front.
    init(envelope: Envelope, size: Int, capabilities: SMTPCapabilities, resetting: Bool) {
        self.envelope = envelope
        self.size = size
        self.capabilities = capabilities
        self.awaited = resetting ? .reset : .sender
    }

    /// Why the message cannot go to this server at all, told without asking it; nil when it can.
    ///
    /// Addresses beyond ASCII need a server that knows them (RFC 6531 §3.1). `EmailAddress` lets no character through that could end a command;
    /// it is checked here again, because libcurl and we would send such a thing as it is.
    var obstacle: DeliveryOutcome? {
        if envelope.needsSMTPUTF8 && !capabilities.smtpUTF8 {
            return .refused(reply: "553 5.6.7 the mail server does not take addresses beyond ASCII (it does not offer SMTPUTF8)")
        }
        let parts = [envelope.sender.localPart, envelope.sender.domain, envelope.recipient.localPart, envelope.recipient.domain]
        for part in parts {
            for byte in part.utf8 where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") {
                return .refused(reply: "553 5.1.3 an address holds a character that it cannot hold")
            }
        }
        return nil
    }

    /// Adds the first commands: the whole envelope where the server takes groups of commands, else the first one.
    func appendOpening(to output: inout [UInt8]) {
        if awaited == .reset { output.append(contentsOf: Self.reset) }
        if capabilities.pipelining {
            appendSender(to: &output)
            appendRecipient(to: &output)
            output.append(contentsOf: Self.data)
        } else if awaited == .sender {
            appendSender(to: &output)
        }
    }

    /// To be called when the message is handed over to be sent.
    mutating func contentIsOnItsWay() {
        precondition(awaited == .content, "a message is sent only after 354")
        awaited = .dot
    }

    /// Whether the server has said 354 and waits for the message.
    var wantsContent: Bool { awaited == .content }

    /// Takes the next reply.
    mutating func receive(_ reply: SMTPReply) -> Action {
        if reply.code == 421 {
            // Whatever was asked, the server is going away (RFC 5321 §3.8).
            return broken(.closing(reply: reply.summary))
        }
        switch awaited {
        case .reset:
            guard reply.kind == 2 else { return unexpected(reply, to: "RSET") }
            return advance(to: .sender) { $0.appendSender(to: &$1) }
        case .sender:
            if let refusal = reply.refusal(at: .sender) { return refused(refusal, then: .recipient) }
            guard reply.kind == 2 else { return unexpected(reply, to: "MAIL") }
            senderAccepted = true
            return advance(to: .recipient) { $0.appendRecipient(to: &$1) }
        case .recipient:
            if let refusal = reply.refusal(at: .recipient) { return refused(refusal, then: .data) }
            guard reply.kind == 2 else { return unexpected(reply, to: "RCPT") }
            return advance(to: .data) { $1.append(contentsOf: Self.data) }
        case .data:
            return receiveData(reply)
        case .content:
            // A final word before the message was sent; what follows cannot be told apart any more.
            return broken(.protocolViolation(cause: "it did not wait for the message: \(reply.summary)"))
        case .dot:
            if reply.kind == 2 { return .finished(.accepted(reply: reply.summary), .ready) }
            guard let refusal = reply.refusal(at: .message) else { return unexpected(reply, to: "the message") }
            return .finished(refusal, .ready)
        case .loneDot:
            // An empty message to nobody: servers answer 554 or, some, 250. Neither changes the verdict.
            guard let verdict else { return unexpected(reply, to: "the dot") }
            return .finished(verdict, .mustReset)
        }
    }

    /// The reply to DATA. In a group, DATA went out before the refusal of the recipient was known (RFC 2920 §3.1).
    private mutating func receiveData(_ reply: SMTPReply) -> Action {
        switch (reply.kind, verdict) {
        case (3, nil):
            awaited = .content
            return .sendContent
        case (3, _?):
            awaited = .loneDot
            return .send(Self.loneDot)
        case (2, _):
            return unexpected(reply, to: "DATA")
        case (_, let verdict?):
            return .finished(verdict, senderAccepted ? .mustReset : .ready)
        case (_, nil):
            guard let refusal = reply.refusal(at: .message) else { return unexpected(reply, to: "DATA") }
            return .finished(refusal, .mustReset)
        }
    }

    /// Notes the first refusal. Alone it ends the transaction; in a group the replies to the rest of the group come first.
    private mutating func refused(_ refusal: DeliveryOutcome, then next: Awaited) -> Action {
        guard capabilities.pipelining else { return .finished(refusal, senderAccepted ? .mustReset : .ready) }
        if verdict == nil { verdict = refusal }
        awaited = next
        return .wait
    }

    private mutating func advance(to next: Awaited, _ command: (SMTPTransaction, inout [UInt8]) -> Void) -> Action {
        awaited = next
        if capabilities.pipelining { return .wait }
        var output: [UInt8] = []
        command(self, &output)
        return .send(output)
    }

    private func unexpected(_ reply: SMTPReply, to command: String) -> Action {
        broken(.protocolViolation(cause: "it answered \(command) with \(reply.summary)"))
    }

    /// Ends the connection; what the server said before about this message still holds.
    private func broken(_ error: SMTPError) -> Action {
        verdict.map { .finished($0, .drop) } ?? .broken(error)
    }

    private func appendSender(to output: inout [UInt8]) {
        output.append(contentsOf: Self.mailFrom)
        Self.append(envelope.sender, to: &output)
        output.append(UInt8(ascii: ">"))
        if capabilities.size {
            output.append(contentsOf: Self.sizeParameter)
            output.append(contentsOf: String(size).utf8)
        }
        if envelope.needsSMTPUTF8 { output.append(contentsOf: Self.utf8Parameter) }
        output.append(contentsOf: Self.lineEnd)
    }

    private func appendRecipient(to output: inout [UInt8]) {
        output.append(contentsOf: Self.rcptTo)
        Self.append(envelope.recipient, to: &output)
        output.append(UInt8(ascii: ">"))
        output.append(contentsOf: Self.lineEnd)
    }

    private static func append(_ address: EmailAddress, to output: inout [UInt8]) {
        output.append(contentsOf: address.localPart.utf8)
        output.append(UInt8(ascii: "@"))
        output.append(contentsOf: address.domain.utf8)
    }

    private static let reset = Array("RSET\r\n".utf8)
    private static let mailFrom = Array("MAIL FROM:<".utf8)
    private static let rcptTo = Array("RCPT TO:<".utf8)
    private static let data = Array("DATA\r\n".utf8)
    private static let loneDot = Array(".\r\n".utf8)
    private static let sizeParameter = Array(" SIZE=".utf8)
    private static let utf8Parameter = Array(" SMTPUTF8".utf8)
    private static let lineEnd = Array("\r\n".utf8)
}
