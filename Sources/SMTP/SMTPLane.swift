internal import Mail

/// Takes messages from a source and delivers them over one connection at a time, as `MailTransport.runLane` promises.
struct SMTPLane {
    /// A message in hand and how far it has come.
    private struct Job {
        let message: OutgoingMessage
        /// The message as it goes over the wire.
        let content: [UInt8]
        /// Whether its envelope has gone out on the present link.
        var begun = false
    }

    private let server: SMTPServer
    private let source: any MailSource
    private var link: SMTPLink?
    private var job: Job?
    private var isClosed = false

    /// Room behind a message for the envelope that rides along: three commands with two addresses of 254 bytes.
    private static let envelopeRoom = 600

    /// A lane without a connection.
    init(server: SMTPServer, source: any MailSource) {
        self.server = server
        self.source = source
    }

    /// Works until the source is closed.
    mutating func run() async {
        while await fetch() {
            guard await connect() else { continue }
            await work()
        }
        link?.quit()
    }

    /// Makes sure that a message is in hand, closing an idle connection while waiting; false when the source is closed.
    private mutating func fetch() async -> Bool {
        while job == nil {
            guard !isClosed else { return false }
            switch await source.next(within: link == nil ? nil : server.idleTimeout) {
            case .message(let message): await accept(message)
            case .none:
                link?.quit()
                link = nil
            case .closed: isClosed = true
            }
        }
        return true
    }

    /// Takes a message in hand, or settles it when it may not leave as it is.
    private mutating func accept(_ message: OutgoingMessage) async {
        guard let content = SMTPContent.stuffed(message.bytes, reserving: Self.envelopeRoom) else {
            return await source.settle(message, .refused(reply: "554 5.6.0 the message holds a line end that is not CRLF"))
        }
        job = Job(message: message, content: content)
    }

    /// Makes sure that there is a connection fit for the message in hand; false when there is none, and the message is settled.
    private mutating func connect() async -> Bool {
        if job?.begun == true { return true }
        if let link, link.isFit { return true }
        link = nil
        do throws(SMTPError) {
            link = try SMTPLink(server, isStopping: { [source] in source.isClosed })
            return true
        } catch {
            await settle(.unreachable(reason: error.reason))
            return false
        }
    }

    /// Brings the message in hand to its outcome, or back to be begun again on a new connection.
    private mutating func work() async {
        guard let link, let job else { return }
        do throws(SMTPError) {
            if !job.begun {
                var commands: [UInt8] = []
                if let obstacle = link.session.begin(job.message.envelope, size: job.message.bytes.count, to: &commands) {
                    return await settle(obstacle)
                }
                self.job?.begun = true
                try link.send(commands)
            }
            switch try link.advance() {
            case .finished(let outcome): await settle(outcome)
            case .sendContent: await deliver(job, link)
            }
        } catch {
            // The message itself has not left, so it cannot arrive twice. A kept connection may have ended while it lay idle.
            let isWorthAnother = link.isReused && error.mayBeStale
            drop()
            if !isWorthAnother { await settle(.unreachable(reason: error.reason)) }
        }
        if !link.isUsable { drop() }
    }

    /// Sends a message that the server waits for, with the envelope of the next one behind it if there is one already, and settles it.
    private mutating func deliver(_ job: Job, _ link: SMTPLink) async {
        var bytes = job.content
        self.job = nil
        if link.session.capabilities.pipelining, !isClosed {
            switch await source.next(within: .zero) {
            case .message(let message):
                await accept(message)
                await begin(behind: &bytes, link)
            case .none: break
            case .closed: isClosed = true
            }
        }
        var isComplete = false
        let outcome: DeliveryOutcome
        do throws(SMTPError) {
            outcome = try Self.hand(bytes, length: job.content.count, over: link, &isComplete)
        } catch {
            drop()
            outcome = .unreachable(reason: Self.reason(error, isComplete: isComplete))
        }
        await source.settle(job.message, outcome)
    }

    /// Adds the envelope of the message that is in hand now, if any.
    private mutating func begin(behind bytes: inout [UInt8], _ link: SMTPLink) async {
        guard let next = job else { return }
        if let obstacle = link.session.begin(next.message.envelope, size: next.message.bytes.count, to: &bytes) {
            return await settle(obstacle)
        }
        job?.begun = true
    }

    /// Sends a message and waits for what the server makes of it.
    private static func hand(
        _ bytes: [UInt8], length: Int, over link: SMTPLink, _ isComplete: inout Bool
    ) throws(SMTPError) -> DeliveryOutcome {
        do throws(SMTPError) {
            try link.sendContent(bytes, length: length, isComplete: &isComplete)
        } catch {
            guard case .connectionLost = error, let outcome = try link.lastWords() else { throw error }
            return outcome
        }
        guard case .finished(let outcome) = try link.advance() else {
            throw .protocolViolation(cause: "it asked twice for the message")
        }
        return outcome
    }

    /// After the whole message went out, only a reply tells whether the server has taken it; 421 says that it has not (RFC 5321 §3.8).
    private static func reason(_ error: SMTPError, isComplete: Bool) -> String {
        if case .closing = error { return error.reason }
        return isComplete ? "\(error.reason) (after the message was sent: it may have been taken)" : error.reason
    }

    /// Settles the message in hand.
    private mutating func settle(_ outcome: DeliveryOutcome) async {
        guard let message = job?.message else { return }
        job = nil
        await source.settle(message, outcome)
    }

    /// Gives the connection up; the message in hand, if any, has to be begun again.
    private mutating func drop() {
        link = nil
        job?.begun = false
    }
}
