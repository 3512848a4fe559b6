import Mail
import Platform
import Synchronization

/// An outbox in memory that checks the rules of its use and can be told to fail.
final class ScriptedOutboxStore: OutboxStore {
    struct Row {
        var entry: OutboxEntry
        var state = State.waiting
        var due: UnixTime
        var owner: String?
        var settledAt: UnixTime?
    }

    enum State: Equatable {
        case waiting, leased, sent(String), failed(String), dropped(String)
    }

    struct Contents {
        var rows: [Int64: Row] = [:]
        var order: [Int64] = []
        var firstOpen = 0
        var failsFor = 0
        var claims = 0
        var claimed: [Int] = []
        var settleCalls = 0
        var settled: [OutboxSettlement] = []
        var dueQueries = 0
        var takeOvers = 0
    }

    let contents = Mutex(Contents())
    let callTime: Duration?

    init(callTime: Duration? = nil) {
        self.callTime = callTime
    }

    func add(
        _ count: Int, now: UnixTime = WallClock.system.now(), life: Duration = .seconds(3600), due: UnixTime? = nil,
        leasedTo owner: String? = nil,
        domain: String = "example.org"
    ) {
        contents.withLock { contents in
            for _ in 0..<count {
                let id = Int64(contents.order.count + 1)
                let entry = OutboxEntry(
                    id: id, projectID: "demo", codeID: [], recipientDomain: domain, messageToken: [], createdAt: now, expiresAt: now + life,
                    attempts: owner == nil ? 0 : 1)
                contents.order.append(id)
                contents.rows[id] = Row(entry: entry, state: owner == nil ? .waiting : .leased, due: due ?? now, owner: owner)
            }
        }
    }

    /// The next `count` calls fail.
    func fail(_ count: Int) { contents.withLock { $0.failsFor = count } }

    func states() -> [State] { contents.withLock { contents in contents.order.compactMap { contents.rows[$0]?.state } } }

    private func enter() async throws(StoreError) {
        if let callTime { try? await Task.sleep(for: callTime) }
        let fails = contents.withLock { contents in
            defer { contents.failsFor = max(0, contents.failsFor - 1) }
            return contents.failsFor > 0
        }
        if fails { throw .unavailable(cause: "scripted") }
    }

    func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry] {
        try await enter()
        return contents.withLock { contents in
            contents.claims += 1
            var taken: [OutboxEntry] = []
            var index = contents.firstOpen
            while index < contents.order.count, taken.count < limit {
                let id = contents.order[index]
                if var row = contents.rows[id], row.state == .waiting || row.state == .leased {
                    if row.due <= now {
                        row.state = .leased
                        row.owner = owner
                        row.due = leaseEnd
                        row.entry.attempts += 1
                        contents.rows[id] = row
                        taken.append(row.entry)
                    }
                } else if index == contents.firstOpen {
                    contents.firstOpen += 1
                }
                index += 1
            }
            contents.claimed.append(taken.count)
            return taken
        }
    }

    func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError) {
        try await enter()
        contents.withLock { contents in
            contents.settleCalls += 1
            for settlement in settlements {
                guard var row = contents.rows[settlement.id], row.state == .leased, row.owner == owner else { continue }
                contents.settled.append(settlement)
                row.owner = nil
                row.settledAt = now
                switch settlement.state {
                case .sent(let reply): row.state = .sent(reply)
                case .failed(let reason), .bounced(let reason): row.state = .failed(reason)
                case .dropped(let reason): row.state = .dropped(reason)
                case .retry(let at, _):
                    row.state = .waiting
                    row.due = at
                case .postponed(let until):
                    row.state = .waiting
                    row.due = until
                    row.entry.attempts -= 1
                case .released:
                    row.state = .waiting
                    row.due = now
                    row.entry.attempts -= 1
                }
                contents.rows[settlement.id] = row
            }
        }
    }

    func nextOutboxDueTime() async throws(StoreError) -> UnixTime? {
        try await enter()
        return contents.withLock { contents in
            contents.dueQueries += 1
            return contents.rows.values.filter { $0.state == .waiting || $0.state == .leased }.map(\.due).min()
        }
    }

    func takeOverOutboxLeases(owner: String) async throws(StoreError) -> Int {
        try await enter()
        return contents.withLock { contents in
            contents.takeOvers += 1
            let ids = contents.rows.filter { $0.value.state == .leased && $0.value.owner != owner }.map(\.key)
            for id in ids {
                contents.rows[id]?.state = .waiting
                contents.rows[id]?.due = UnixTime(seconds: 0)
            }
            return ids.count
        }
    }

    func outboxCounts() async throws(StoreError) -> OutboxCounts {
        contents.withLock { contents in
            OutboxCounts(waiting: contents.rows.values.count { $0.state == .waiting || $0.state == .leased }, failed: 0)
        }
    }

    func listOutbox(limit: Int) async throws(StoreError) -> [OutboxListing] { [] }
    func retryOutbox(ids: [Int64]?, now: UnixTime) async throws(StoreError) -> Int { 0 }

    func purgeOutbox(settledBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int {
        contents.withLock { contents in
            let ids = contents.rows.filter { ($0.value.settledAt ?? time) < time && $0.value.state != .waiting }.map(\.key).prefix(limit)
            for id in ids { contents.rows[id] = nil }
            return ids.count
        }
    }
}

/// Composes an empty message, or drops the entries named.
struct ScriptedComposer: MailComposer {
    var drops: Set<Int64> = []

    static let envelope: Envelope = {
        guard let address = try? EmailAddress("ann@example.org") else { preconditionFailure("a good address") }
        return Envelope(sender: address, recipient: address)
    }()

    func compose(_ entries: [OutboxEntry]) async throws(StoreError) -> [Composition] {
        entries.map { entry in
            drops.contains(entry.id)
                ? .drop(reason: "used")
                : .message(OutgoingMessage(entryID: entry.id, projectID: "example", envelope: Self.envelope, bytes: [UInt8(ascii: "x")]))
        }
    }
}

/// Answers as the script says. `overlaps`: asks for the next message before it settles the last, as a pipelining client does.
/// `deserts`: its first lane takes a message and returns, which it must not.
final class ScriptedTransport: MailTransport {
    let lanes: Int
    let overlaps: Bool
    let script: @Sendable (_ lane: Int, _ message: OutgoingMessage, _ number: Int) async -> DeliveryOutcome
    let sent = Mutex<[Int64]>([])
    let running = Mutex(0)
    private let deserts: Mutex<Bool>

    var sorted: [Int64] { sent.withLock { $0 }.sorted() }

    init(
        lanes: Int = 1, overlaps: Bool = false, deserts: Bool = false,
        script: @escaping @Sendable (_ lane: Int, _ message: OutgoingMessage, _ number: Int) async -> DeliveryOutcome = { _, _, _ in
            .accepted(reply: "250 ok")
        }
    ) {
        self.lanes = lanes
        self.overlaps = overlaps
        self.deserts = Mutex(deserts)
        self.script = script
    }

    func runLane(_ index: Int, source: any MailSource) async {
        running.withLock { $0 += 1 }
        defer { running.withLock { $0 -= 1 } }
        let deserts = deserts.withLock { deserts in
            defer { deserts = false }
            return deserts
        }
        if deserts, case .message = await source.next(within: nil) { return }
        var ahead: OutgoingMessage?
        while true {
            let message: OutgoingMessage
            if let next = ahead {
                message = next
                ahead = nil
            } else {
                switch await source.next(within: .milliseconds(200)) {
                case .message(let next): message = next
                case .none: continue
                case .closed: return
                }
            }
            let number = sent.withLock { sent in
                sent.append(message.entryID)
                return sent.count
            }
            let outcome = await script(index, message, number)
            if overlaps, case .message(let next) = await source.next(within: .zero) { ahead = next }
            await source.settle(message, outcome)
        }
    }
}
