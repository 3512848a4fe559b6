public import Mail
public import Platform
internal import Synchronization

/// The mails that `dev` has caught: the newest 1,000, in memory only.
public final class Inbox: Sendable {
    private struct State {
        /// A ring once it is full: a mail's number, less `first`, says its place.
        var mails: [CaughtMail] = []
        /// The number of the mail that came first since the inbox was last empty.
        var first = 1
        /// The number of the next mail.
        var next = 1
        /// Grows with every change.
        var revision = 0

        func place(_ number: Int, capacity: Int) -> Int { (number - first) % capacity }
    }

    private let state = Mutex(State())
    private let changed: @Sendable () -> Void

    /// How many mails are kept, at least 1; a further one pushes the oldest out. Default: 1,000.
    public let capacity: Int

    /// Makes an empty inbox; `changed` is called after each change.
    public init(capacity: Int = 1000, changed: @escaping @Sendable () -> Void = {}) {
        self.capacity = max(1, capacity)
        self.changed = changed
    }

    /// How many mails there are.
    public var count: Int { state.withLock { $0.mails.count } }

    /// All mails, oldest first.
    public var all: [CaughtMail] { snapshot().mails }

    /// The mail of an id; nil when there never was one, or it is gone.
    public func mail(id: String) -> CaughtMail? {
        // Only ids as they were given out: no sign, no leading zero.
        guard let number = Int(id), String(number) == id else { return nil }
        return state.withLock { state in
            guard number >= state.next - state.mails.count, number < state.next else { return nil }
            return state.mails[state.place(number, capacity: capacity)]
        }
    }

    /// Takes a message in.
    ///
    /// - Parameters:
    ///   - project: the id of the project that sent it.
    ///   - receivedAt: now.
    ///   - bytes: the whole message; it is read here, and any bytes will do.
    @discardableResult
    public func add(project: String, envelope: Envelope, receivedAt: UnixTime, bytes: [UInt8]) -> CaughtMail {
        // Read before the lock is taken, which others wait for.
        let content = MIMEReader(bytes)
        defer { changed() }
        return state.withLock { state in
            let mail = CaughtMail(
                id: String(state.next), project: project, envelope: envelope, receivedAt: receivedAt, bytes: bytes, content: content)
            if state.mails.count < capacity {
                state.mails.append(mail)
            } else {
                state.mails[state.place(state.next, capacity: capacity)] = mail
            }
            state.next += 1
            state.revision += 1
            return mail
        }
    }

    /// Empties it. The ids of the mails that were in it are not used again.
    public func removeAll() {
        defer { changed() }
        state.withLock { state in
            state.mails = []
            state.first = state.next
            state.revision += 1
        }
    }

    /// The mails, oldest first, and a name for what they are at this moment.
    ///
    /// The name holds a time, so that it is another one after a new start, when the count begins again.
    func snapshot() -> (mails: [CaughtMail], version: String) {
        state.withLock { state in
            let oldest = state.mails.isEmpty ? 0 : state.place(state.next - state.mails.count, capacity: capacity)
            let mails = Array(state.mails[oldest...] + state.mails[..<oldest])
            return (mails, "\(state.revision)-\(mails.last?.receivedAt.milliseconds ?? 0)")
        }
    }
}
