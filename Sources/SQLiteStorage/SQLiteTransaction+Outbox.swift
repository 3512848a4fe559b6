internal import Mail
internal import Platform

extension SQLiteTransaction {
    /// What `outbox.state` holds. Stored: never change or reuse a number. Sent entries are deleted.
    private enum State: Int, Bindable {
        case waiting = 0
        case leased = 1
        case failed = 2
        case dropped = 3

        func bind(to binder: inout Connection.Binder) { binder.integer(Int64(rawValue)) }
    }

    func enqueue(_ entry: OutboxEntry) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO outbox (due_at, state, attempts, created_at, expires_at, project, recipient_domain, code_id, message_token)
            VALUES (?1, 0, ?2, ?1, ?3, ?4, ?5, ?6, ?7)
            """, entry.createdAt, entry.attempts, entry.expiresAt, entry.projectID, entry.recipientDomain, entry.codeID,
            entry.messageToken)
    }

    /// Entries are chosen by the time they fell due and given in the order of their numbers.
    func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) throws(StoreError) -> [OutboxEntry] {
        // RETURNING gives rows in no particular order, and before the order could be asked for, `due_at` has changed.
        try connection.rows(
            """
            UPDATE outbox SET state = 1, due_at = ?1, owner = ?2, attempts = attempts + 1
            WHERE id IN (SELECT id FROM outbox INDEXED BY outbox_due WHERE due_at <= ?3 ORDER BY due_at, id LIMIT ?4)
            RETURNING id, project, code_id, recipient_domain, message_token, created_at, expires_at, attempts
            """, leaseEnd, owner, now, limit, element: Self.entry
        ).sorted { $0.id < $1.id }
    }

    func settleOutbox(_ settlement: OutboxSettlement, owner: String, now: UnixTime) throws(StoreError) {
        switch settlement.state {
        case .sent:
            try connection.run("DELETE FROM outbox WHERE id = ? AND state = 1 AND owner = ?", settlement.id, owner)
        case .retry(let at, let reason):
            try connection.run(
                "UPDATE outbox SET state = 0, due_at = ?, owner = NULL, reason = ? WHERE id = ? AND state = 1 AND owner = ?",
                at, reason, settlement.id, owner)
        case .released: try giveBack(settlement.id, until: now, owner: owner)
        case .postponed(let until): try giveBack(settlement.id, until: until, owner: owner)
        case .failed(let reason): try give(up: settlement.id, as: .failed, reason: reason, owner: owner, now: now)
        case .bounced(let reply):
            try suppressRecipient(of: settlement.id, reply: reply, owner: owner, now: now)
            try give(up: settlement.id, as: .failed, reason: reply, owner: owner, now: now)
        case .dropped(let reason): try give(up: settlement.id, as: .dropped, reason: reason, owner: owner, now: now)
        }
    }

    private func giveBack(_ id: Int64, until time: UnixTime, owner: String) throws(StoreError) {
        try connection.run(
            """
            UPDATE outbox SET state = 0, due_at = ?, owner = NULL, attempts = max(0, attempts - 1)
            WHERE id = ? AND state = 1 AND owner = ?
            """, time, id, owner)
    }

    /// A mail that was sent, whatever its entry says.
    func deleteSent(_ record: SentJournal.Record) throws(StoreError) {
        try connection.run("DELETE FROM outbox WHERE id = ? AND message_token = ?", record.id, record.token)
    }

    private func give(up id: Int64, as state: State, reason: String, owner: String, now: UnixTime) throws(StoreError) {
        try connection.run(
            """
            UPDATE outbox SET state = ?, due_at = NULL, owner = NULL, reason = ?, settled_at = ?
            WHERE id = ? AND state = 1 AND owner = ?
            """, state, reason, now, id, owner)
    }

    func nextOutboxDueTime() throws(StoreError) -> UnixTime? {
        try connection.first("SELECT due_at FROM outbox INDEXED BY outbox_due WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1") {
            $0.time(0)
        }
    }

    func takeOverOutboxLeases(owner: String) throws(StoreError) -> Int {
        try connection.run("UPDATE outbox SET state = 0, due_at = created_at, owner = NULL WHERE state = 1 AND owner <> ?", owner)
    }

    func outboxCounts() throws(StoreError) -> OutboxCounts {
        let waiting = try connection.first("SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE due_at IS NOT NULL") { $0.int(0) }
        let failed = try connection.first(
            "SELECT count(*) FROM outbox INDEXED BY outbox_settled WHERE settled_at IS NOT NULL AND state = 2"
        ) { $0.int(0) }
        return OutboxCounts(waiting: waiting ?? 0, failed: failed ?? 0)
    }

    func listOutbox(limit: Int) throws(StoreError) -> [OutboxListing] {
        try connection.rows(
            """
            SELECT id, project, code_id, recipient_domain, message_token, created_at, expires_at, attempts, state, due_at, reason
            FROM outbox ORDER BY id DESC LIMIT ?
            """, limit
        ) { row throws(StoreError) in
            guard let state = State(rawValue: row.int(8)) else { throw .damaged("outbox state") }
            let shown: OutboxListing.State =
                switch state {
                case .waiting: .waiting
                case .leased: .leased
                case .failed: .failed
                case .dropped: .dropped
                }
            return OutboxListing(entry: Self.entry(row), state: shown, dueAt: row.optionalTime(9), reason: row.optionalText(10))
        }
    }

    /// nil makes all of them due.
    func retryOutbox(ids: [Int64]?, now: UnixTime) throws(StoreError) -> Int {
        guard let ids else {
            return try connection.run("UPDATE outbox SET state = 0, due_at = ?, settled_at = NULL WHERE state IN (0, 2)", now)
        }
        var count = 0
        for id in Set(ids) {
            count += try connection.run(
                "UPDATE outbox SET state = 0, due_at = ?, settled_at = NULL WHERE id = ? AND state IN (0, 2)", now, id)
        }
        return count
    }

    func purgeOutbox(settledBefore time: UnixTime, limit: Int) throws(StoreError) -> Int {
        try connection.run(
            """
            DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox INDEXED BY outbox_settled WHERE settled_at < ? ORDER BY settled_at, id LIMIT ?)
            """, time, limit)
    }

    private static func entry(_ row: Connection.Row) -> OutboxEntry {
        OutboxEntry(
            id: row.integer(0), projectID: row.text(1), codeID: row.blob(2), recipientDomain: row.text(3), messageToken: row.blob(4),
            createdAt: row.time(5), expiresAt: row.time(6), attempts: row.int(7))
    }
}
