internal import Mail

/// The transactions on one connection: received bytes in, what to do next out, no input or output of its own.
///
/// Where the server takes groups of commands, the envelope of the following message may be begun before the current one is finished; it
/// then rides in the same write behind the current one's dot.
struct SMTPSession: Sendable {
    /// What is to be done next.
    enum Step: Sendable, Equatable {
        /// Receive more.
        case receive
        /// Send these commands.
        case send([UInt8])
        /// Hand over the message of the oldest transaction, by `contentIsOnItsWay()` and sending it.
        case sendContent
        /// What became of the oldest message; the following one, if begun, is now the oldest.
        case finished(DeliveryOutcome)
        /// Drop the connection; nothing is known about the messages begun here.
        case broken(SMTPError)
    }

    /// What the server offered.
    let capabilities: SMTPCapabilities
    /// Whether the connection may go on to be used. False after `finished` says that the message is settled but the connection is not.
    private(set) var isUsable = true

    /// Whether no reply is owed and nothing came that was not asked for, so that a transaction may begin.
    var isQuiet: Bool { isUsable && current == nil && parser.isEmpty }

    /// How many replies have come, so that the time limit of one can be told from that of the next.
    private(set) var replyCount = 0

    private var parser = SMTPReplyParser()
    private var current: SMTPTransaction?
    private var following: SMTPTransaction?
    private var mustReset = false

    /// A session with a server that has let us in.
    init(capabilities: SMTPCapabilities) {
        self.capabilities = capabilities
    }

    /// Begins a transaction and adds its first commands to `output`. Gives the outcome instead, and adds nothing, when the message cannot go
    /// to this server. At most one may be begun before the current one is finished, and only with `capabilities.pipelining`.
    mutating func begin(_ envelope: Envelope, size: Int, to output: inout [UInt8]) -> DeliveryOutcome? {
        precondition(
            current == nil || (following == nil && capabilities.pipelining), "no more than two transactions, and two only in groups")
        let transaction = SMTPTransaction(envelope: envelope, size: size, capabilities: capabilities, resetting: mustReset)
        if let obstacle = transaction.obstacle { return obstacle }
        mustReset = false
        transaction.appendOpening(to: &output)
        if current == nil { current = transaction } else { following = transaction }
        return nil
    }

    /// To be called when the message of the oldest transaction is handed over to be sent.
    mutating func contentIsOnItsWay() {
        current?.contentIsOnItsWay()
    }

    /// Takes what was received.
    mutating func receive(_ bytes: some Sequence<UInt8>) {
        parser.append(bytes)
    }

    /// What is to be done next.
    mutating func step() -> Step {
        while true {
            if let current, current.wantsContent, parser.isEmpty { return .sendContent }
            let reply: SMTPReply
            do throws(SMTPReplyParser.Malformed) {
                guard let next = try parser.next() else { return .receive }
                reply = next
                replyCount += 1
            } catch {
                return broken(.protocolViolation(cause: error.sentence))
            }
            guard current != nil else {
                // A server may say 421 unasked before it closes; anything else unasked means that we have lost count.
                let summary = reply.summary
                return broken(reply.code == 421 ? .closing(reply: summary) : .protocolViolation(cause: "it said unasked: \(summary)"))
            }
            switch current?.receive(reply) {
            case .wait, nil: continue
            case .send(let commands): return .send(commands)
            case .sendContent: continue
            case .finished(let outcome, let afterwards):
                mustReset = afterwards == .mustReset
                if afterwards == .drop { isUsable = false }
                current = following
                following = nil
                return .finished(outcome)
            case .broken(let error): return broken(error)
            }
        }
    }

    private mutating func broken(_ error: SMTPError) -> Step {
        isUsable = false
        return .broken(error)
    }
}
