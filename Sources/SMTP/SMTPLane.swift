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
        /// The servers that have failed with it.
        var tried: Set<Int> = []
    }

    private let number: Int
    private let pool: SMTPServerPool
    private let source: any MailSource
    private var link: SMTPLink?
    private var job: Job?
    private var isClosed = false

    /// Room behind a message for the envelope that rides along: three commands with two addresses of 254 bytes.
    private static let envelopeRoom = 600

    /// How often a lane that has no server of its own looks again.
    private static let idlePause = Duration.milliseconds(200)

    /// A lane without a connection.
    init(number: Int, pool: SMTPServerPool, source: any MailSource) {
        self.number = number
        self.pool = pool
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
            while pool.isIdle(lane: number), !source.isClosed {
                link?.quit()
                link = nil
                try? await Task.sleep(for: Self.idlePause)
            }
            switch await source.next(within: link.map { pool.servers[$0.server].idleTimeout }) {
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
    ///
    /// A server that comes before the present one is gone back to as soon as it is available again.
    private mutating func connect() async -> Bool {
        guard let job else { return false }
        if job.begun { return true }
        if let link, !link.isFit || job.tried.contains(link.server) { self.link = nil }
        if let link, !pool.hasBetter(than: link.server, lane: number) { return true }
        var tried = job.tried
        var reasons: [String] = []
        while let server = pool.choose(lane: number, tried: tried) {
            if server == link?.server { return true }
            do throws(SMTPError) {
                let new = try SMTPLink(server, of: pool, isStopping: { [source] in source.isClosed })
                link?.quit()
                link = new
                return true
            } catch .stopped {
                pool.released(server)
                await settle(.unreachable(reason: SMTPError.stopped.reason))
                return false
            } catch {
                pool.failed(server, opening: true, reason: error.reason)
                reasons.append(reason(error.reason, of: server))
                tried.insert(server)
                self.job?.tried = tried
            }
        }
        if link != nil { return true }
        await settle(.unreachable(reason: String(reasons.joined(separator: "; ").prefix(500))))
        return false
    }

    /// With several servers, the reason says whose it is.
    private func reason(_ text: String, of server: Int) -> String {
        pool.servers.count > 1 ? "\(pool.servers[server].label): \(text)" : text
    }

    /// Brings the message in hand to its outcome, or back to be begun again on a new connection.
    private mutating func work() async {
        guard let link, let job else { return }
        do throws(SMTPError) {
            if !job.begun {
                var commands: [UInt8] = []
                if let obstacle = link.session.begin(job.message.envelope, size: job.message.bytes.count, to: &commands) {
                    pool.released(link.server)
                    return await settle(obstacle)
                }
                self.job?.begun = true
                try link.send(commands)
            }
            switch try link.advance() {
            case .finished(let outcome): await conclude(outcome, link)
            case .sendContent: await deliver(job, link)
            }
        } catch {
            // The message itself has not left, so it cannot arrive twice. A kept connection may have ended while it lay idle.
            let isWorthAnother = link.isReused && error.mayBeStale
            drop()
            if !isWorthAnother { await failed(error, link.server) }
        }
        if !link.isUsable { drop() }
    }

    /// A server failed with the message in hand, which then goes to another one or back to the outbox.
    private mutating func failed(_ error: SMTPError, _ server: Int) async {
        if case .stopped = error {
            pool.released(server)
            return await settle(.unreachable(reason: error.reason))
        }
        pool.failed(server, opening: false, reason: error.reason)
        self.job?.tried.insert(server)
        guard pool.hasAnother(lane: number, tried: job?.tried ?? []) else {
            return await settle(.unreachable(reason: reason(error.reason, of: server)))
        }
    }

    /// Settles the message in hand by what the server said, unless that was about the server itself and there is another.
    private mutating func conclude(_ outcome: DeliveryOutcome, _ link: SMTPLink) async {
        guard case .unreachable(let text) = outcome else {
            pool.answered(link.server)
            return await settle(outcome)
        }
        pool.failed(link.server, opening: false, reason: text)
        self.job?.tried.insert(link.server)
        guard pool.hasAnother(lane: number, tried: job?.tried ?? []) else {
            return await settle(.unreachable(reason: reason(text, of: link.server)))
        }
        link.quit()
        drop()
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
            if case .unreachable(let text) = outcome {
                pool.failed(link.server, opening: false, reason: text)
            } else {
                pool.answered(link.server)
            }
        } catch {
            drop()
            pool.failed(link.server, opening: false, reason: error.reason)
            outcome = .unreachable(reason: reason(Self.reason(error, isComplete: isComplete), of: link.server))
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
