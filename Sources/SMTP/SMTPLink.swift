internal import Mail

/// An open connection together with its session: turns the session's steps into sending and receiving until a decision is needed.
final class SMTPLink {
    /// What the lane has to act upon.
    enum Decision {
        /// The server waits for the oldest message.
        case sendContent
        /// What became of the oldest message.
        case finished(DeliveryOutcome)
    }

    /// The order of commands and replies.
    var session: SMTPSession
    /// Whether a transaction was finished here before, so that the server may have closed the connection meanwhile.
    private(set) var isReused = false

    /// The server's place in the pool.
    let server: Int

    private var isBroken = false
    private let pool: SMTPServerPool
    private let connection: SMTPConnection
    private let timeout: Duration

    /// Opens a connection to a server of the pool.
    init(_ server: Int, of pool: SMTPServerPool, isStopping: @escaping () -> Bool) throws(SMTPError) {
        connection = try SMTPConnection(pool.servers[server], isStopping: isStopping)
        session = SMTPSession(capabilities: connection.capabilities)
        timeout = pool.servers[server].timeout
        self.server = server
        self.pool = pool
        pool.opened(server)
    }

    deinit {
        pool.closed(server)
    }

    /// Whether the connection may go on to be used.
    var isUsable: Bool { session.isUsable && !isBroken }

    /// Whether a transaction may begin: false when the server has closed or said something unasked, such as 421, since the last one.
    var isFit: Bool {
        guard session.isQuiet else { return false }
        do throws(SMTPError) {
            return try unsafe !connection.receiveNow { _ in }
        } catch {
            return false
        }
    }

    /// Sends commands.
    func send(_ commands: [UInt8]) throws(SMTPError) {
        var sent = 0
        try connection.send(commands, sent: &sent)
    }

    /// Sends a message, of which the first `length` bytes are the message with its dot. `isComplete` tells whether all of these went out.
    func sendContent(_ bytes: [UInt8], length: Int, isComplete: inout Bool) throws(SMTPError) {
        session.contentIsOnItsWay()
        // From here on only the reply tells whether it will arrive.
        connection.mayGiveUp = false
        var sent = 0
        defer { isComplete = sent >= length }
        try connection.send(bytes, sent: &sent)
    }

    /// Goes on until there is something to decide.
    func advance() throws(SMTPError) -> Decision {
        var deadline = ContinuousClock.now + timeout
        var replyCount = session.replyCount
        while true {
            switch session.step() {
            case .receive:
                // A whole reply earns new time; single bytes do not.
                if session.replyCount != replyCount {
                    replyCount = session.replyCount
                    deadline = .now + timeout
                }
                try unsafe connection.receive(until: deadline) { unsafe session.receive($0) }
            case .send(let commands):
                try send(commands)
                deadline = .now + timeout
            case .sendContent:
                return .sendContent
            case .finished(let outcome):
                isReused = true
                connection.mayGiveUp = true
                return .finished(outcome)
            case .broken(let error):
                throw error
            }
        }
    }

    /// What the server said before it stopped taking our bytes, if that explains it: a refusal of the oldest message, or a 421.
    func lastWords() throws(SMTPError) -> DeliveryOutcome? {
        isBroken = true
        _ = try unsafe connection.receiveNow { unsafe session.receive($0) }
        switch session.step() {
        case .finished(.accepted): return nil
        case .finished(let outcome): return outcome
        case .broken(let error): throw error
        case .receive, .send, .sendContent: return nil
        }
    }

    /// Says good-bye and waits a moment for the answer (RFC 5321 §4.1.1.10). Failures do not matter: nothing is owed on either side.
    func quit() {
        guard session.isQuiet else { return }
        do throws(SMTPError) {
            try send(Array("QUIT\r\n".utf8))
            try unsafe connection.receive(until: .now + min(timeout, .seconds(2))) { _ in }
        } catch {
            return
        }
    }
}
