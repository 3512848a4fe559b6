internal import Accounts
internal import ActionCodes
internal import Mail
internal import Platform

/// All that a memory store holds, as one value, so that a copy is a snapshot.
struct MemoryState: Sendable {
    struct UserKey: Hashable {
        var project: String
        var id: String
    }

    struct AddressKey: Hashable {
        var project: String
        var email: EmailAddress
    }

    struct OutboxRow {
        var entry: OutboxEntry
        var state = OutboxListing.State.waiting
        var dueAt: UnixTime?
        var owner: String?
        var reason: String?
        var settledAt: UnixTime?
    }

    var codes: [ActionCodeID: ActionCode] = [:]
    var users: [UserKey: User] = [:]
    var sessions: [[UInt8]: Session] = [:]
    var outbox: [Int64: OutboxRow] = [:]
    var lastOutboxID: Int64 = 0
    var buckets: [Int: RateLimitBucket] = [:]
    var overrides: [String: ProjectOverrides] = [:]
    var suppressions: [AddressKey: Suppression] = [:]
    var digitsTries: [AddressKey: [UnixTime]] = [:]

    mutating func claim(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) -> [OutboxEntry] {
        let due = outbox.values.filter { row in row.dueAt.map { $0 <= now } ?? false }
            .sorted { ($0.dueAt ?? now, $0.entry.id) < ($1.dueAt ?? now, $1.entry.id) }.prefix(limit)
        return due.map(\.entry.id).sorted().compactMap { id in
            outbox[id]?.state = .leased
            outbox[id]?.owner = owner
            outbox[id]?.dueAt = leaseEnd
            outbox[id]?.entry.attempts += 1
            return outbox[id]?.entry
        }
    }

    mutating func settle(_ settlement: OutboxSettlement, owner: String, now: UnixTime) {
        guard var row = outbox[settlement.id], row.state == .leased, row.owner == owner else { return }
        row.owner = nil
        switch settlement.state {
        case .sent:
            outbox[settlement.id] = nil
            return
        case .retry(let at, let reason):
            row.state = .waiting
            row.dueAt = at
            row.reason = reason
        case .released:
            row.state = .waiting
            row.dueAt = now
            row.entry.attempts = max(0, row.entry.attempts - 1)
        case .postponed(let until):
            row.state = .waiting
            row.dueAt = until
            row.entry.attempts = max(0, row.entry.attempts - 1)
        case .failed(let reason):
            row.state = .failed
            row.dueAt = nil
            row.reason = reason
            row.settledAt = now
        case .bounced(let reply):
            row.state = .failed
            row.dueAt = nil
            row.reason = reply
            row.settledAt = now
            if let code = codes.values.first(where: { $0.id.bytes == row.entry.codeID }) {
                suppress(Suppression(projectID: code.projectID, email: code.recipient, cause: .refused, detail: reply, since: now))
            }
        case .dropped(let reason):
            row.state = .dropped
            row.dueAt = nil
            row.reason = reason
            row.settledAt = now
        }
        outbox[settlement.id] = row
    }

    mutating func suppress(_ suppression: Suppression) {
        let key = AddressKey(project: suppression.projectID, email: suppression.email)
        if suppression.until != nil, let earlier = suppressions[key], earlier.until == nil { return }
        suppressions[key] = suppression
    }

    /// Lets `change` change each row; gives how many it said it has changed.
    mutating func changeOutbox(_ change: (inout OutboxRow) -> Bool) -> Int {
        var count = 0
        for id in outbox.keys {
            guard var row = outbox[id], change(&row) else { continue }
            outbox[id] = row
            count += 1
        }
        return count
    }
}
