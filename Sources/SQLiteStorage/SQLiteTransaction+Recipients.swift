internal import ActionCodes
internal import Mail
internal import Platform

extension SQLiteTransaction {
    func suppression(of email: EmailAddress, project: String, now: UnixTime) throws(StoreError) -> Suppression? {
        try connection.first(
            """
            SELECT project, email, cause, detail, since, until FROM suppressions
            WHERE project = ? AND email = ? AND (until IS NULL OR until > ?)
            """, project, email, now, element: Self.suppression)
    }

    func suppressions(project: String, after address: String?, limit: Int, now: UnixTime) throws(StoreError) -> [Suppression] {
        try connection.rows(
            """
            SELECT project, email, cause, detail, since, until FROM suppressions
            WHERE project = ? AND email > ? AND (until IS NULL OR until > ?) ORDER BY email LIMIT ?
            """, project, address ?? "", now, limit, element: Self.suppression)
    }

    func suppress(_ suppression: Suppression) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO suppressions (project, email, cause, detail, since, until) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (project, email) DO UPDATE
                SET cause = excluded.cause, detail = excluded.detail, since = excluded.since, until = excluded.until
                WHERE excluded.until IS NULL OR until IS NOT NULL
            """, suppression.projectID, suppression.email, Int(suppression.cause.rawValue), suppression.detail, suppression.since,
            suppression.until)
        // What has ended by itself goes with the next one that comes.
        try connection.run("DELETE FROM suppressions WHERE until <= ?", suppression.since)
    }

    /// Suppresses the recipient of an entry that `owner` settles.
    func suppressRecipient(of entry: Int64, reply: String, owner: String, now: UnixTime) throws(StoreError) {
        let recipient = try connection.first(
            """
            SELECT codes.project, coalesce(codes.new_email, codes.email) FROM outbox
            JOIN action_codes AS codes ON codes.expires_at = outbox.expires_at AND codes.id = outbox.code_id
            WHERE outbox.id = ? AND outbox.state = 1 AND outbox.owner = ?
            """, entry, owner
        ) { (project: $0.text(0), email: EmailAddress(storedText: $0.text(1))) }
        guard let recipient else { return }
        try suppress(Suppression(projectID: recipient.project, email: recipient.email, cause: .refused, detail: reply, since: now))
    }

    func releaseSuppression(of email: EmailAddress, project: String) throws(StoreError) -> Bool {
        try connection.run("DELETE FROM suppressions WHERE project = ? AND email = ?", project, email) == 1
    }

    func countDigitsTry(
        email: EmailAddress, project: String, now: UnixTime, limit: Int, window: Duration
    ) throws(StoreError) -> UnixTime? {
        // Each try takes a few old ones away, so that the table holds the tries of one window and no service has to see to it.
        try connection.run(
            """
            DELETE FROM digits_tries WHERE rowid IN (
                SELECT rowid FROM digits_tries INDEXED BY digits_tries_time WHERE tried_at <= ? ORDER BY tried_at LIMIT 4)
            """, now - window)
        let hash = addressHash.value(project: project, email: email)
        let recent = try connection.rows(
            "SELECT tried_at FROM digits_tries WHERE address_hash = ? AND tried_at > ? ORDER BY tried_at LIMIT ?", hash, now - window, limit
        ) { $0.time(0) }
        if recent.count >= limit, let oldest = recent.first { return oldest + window }
        try connection.run("INSERT INTO digits_tries (address_hash, tried_at) VALUES (?, ?)", hash, now)
        return nil
    }

    private static func suppression(_ row: Connection.Row) throws(StoreError) -> Suppression {
        guard let cause = Suppression.Cause(rawValue: UInt8(clamping: row.integer(2))) else { throw .damaged("suppression") }
        return Suppression(
            projectID: row.text(0), email: EmailAddress(storedText: row.text(1)), cause: cause, detail: row.text(3), since: row.time(4),
            until: row.optionalTime(5))
    }
}
