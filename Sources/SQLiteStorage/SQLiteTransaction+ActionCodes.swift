internal import ActionCodes
internal import Mail
internal import Platform

extension SQLiteTransaction {
    func actionCode(_ id: ActionCodeID, expiresAt: UnixTime) throws(StoreError) -> ActionCode? {
        try connection.first(
            """
            SELECT expires_at, id, state, misses, operation, created_at, project, email, new_email, language, api_key, flags,
                continue_url, ios_bundle_id, ios_app_store_id, android_package_name, android_minimum_version, link_domain
            FROM action_codes WHERE expires_at = ? AND id = ?
            """, expiresAt.seconds, id.bytes, element: Self.actionCode)
    }

    /// Reads all codes that have not expired: only `dev`, with its few codes, asks for this.
    func liveActionCodes(project: String, now: UnixTime) throws(StoreError) -> [ActionCode] {
        try connection.rows(
            """
            SELECT expires_at, id, state, misses, operation, created_at, project, email, new_email, language, api_key, flags,
                continue_url, ios_bundle_id, ios_app_store_id, android_package_name, android_minimum_version, link_domain
            FROM action_codes WHERE expires_at > ? AND state = 0 AND project = ? ORDER BY created_at, expires_at, id
            """, now.seconds, project, element: Self.actionCode)
    }

    func insert(_ code: ActionCode, keepingAtMost limit: Int) throws(StoreError) {
        let hash = addressHash.value(project: code.projectID, email: code.email)
        let kept = max(0, limit - 1)
        // Nearly always there are fewer, and the index alone says so; addresses are compared only when there may be too many.
        let live = try connection.first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM action_codes INDEXED BY action_codes_live
                WHERE state = 0 AND address_hash = ? AND operation = ? AND expires_at > ? LIMIT ?)
            """, hash, Int(code.operation.rawValue), code.createdAt.seconds, kept + 1
        ) { $0.int(0) }
        if let live, live > kept {
            try connection.run(
                """
                UPDATE action_codes SET state = 2 WHERE (expires_at, id) IN (
                    SELECT expires_at, id FROM action_codes INDEXED BY action_codes_live
                    WHERE state = 0 AND address_hash = ? AND operation = ? AND expires_at > ? AND project = ? AND email = ?
                    ORDER BY created_at DESC, expires_at DESC, id DESC LIMIT -1 OFFSET ?)
                """, hash, Int(code.operation.rawValue), code.createdAt.seconds, code.projectID, code.email, kept)
        }
        let settings = code.settings
        let flags = (settings.canHandleCodeInApp ? 1 : 0) | (settings.androidInstallApp ? 2 : 0)
        try connection.run(
            """
            INSERT INTO action_codes (expires_at, id, state, misses, operation, address_hash, created_at, project, email, new_email,
                language, api_key, flags, continue_url, ios_bundle_id, ios_app_store_id, android_package_name,
                android_minimum_version, link_domain)
            VALUES (?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, code.expiresAt.seconds, code.id.bytes, Int(code.operation.rawValue), hash, code.createdAt, code.projectID, code.email,
            code.newEmail, code.language, code.apiKey, flags, settings.continueURL?.text, settings.iOSBundleID, settings.iOSAppStoreID,
            settings.androidPackageName, settings.androidMinimumVersion, settings.linkDomain)
    }

    func settle(_ code: ActionCode, as state: ActionCode.State) throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE action_codes SET state = ? WHERE expires_at = ? AND id = ? AND state = 0",
            Int(state.rawValue), code.expiresAt.seconds, code.id.bytes) == 1
    }

    func countMiss(of code: ActionCode) throws(StoreError) -> Int {
        try connection.first(
            "UPDATE action_codes SET misses = misses + 1 WHERE expires_at = ? AND id = ? RETURNING misses",
            code.expiresAt.seconds, code.id.bytes
        ) { $0.int(0) } ?? 0
    }

    func voidActionCodes(email: EmailAddress, project: String) throws(StoreError) {
        try connection.run(
            """
            UPDATE action_codes SET state = 2 WHERE (expires_at, id) IN (
                SELECT expires_at, id FROM action_codes INDEXED BY action_codes_live
                WHERE state = 0 AND address_hash = ? AND project = ? AND email = ?)
            """, addressHash.value(project: project, email: email), project, email)
    }

    /// Deletes codes that expired before `time`, at most `limit`; gives how many.
    func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) throws(StoreError) -> Int {
        // Codes expire at whole seconds: before `time` is before the next whole second.
        try connection.run(
            """
            DELETE FROM action_codes WHERE (expires_at, id) IN (
                SELECT expires_at, id FROM action_codes WHERE expires_at < ? ORDER BY expires_at, id LIMIT ?)
            """, UnixTime(milliseconds: time.milliseconds + 999).seconds, limit)
    }

    private static func actionCode(_ row: Connection.Row) throws(StoreError) -> ActionCode {
        guard let id = ActionCodeID(row.blob(1)), let state = ActionCode.State(rawValue: UInt8(clamping: row.integer(2))),
            let operation = Operation(rawValue: UInt8(clamping: row.integer(4)))
        else { throw .damaged("action code") }
        var settings = ActionCodeSettings()
        settings.canHandleCodeInApp = row.integer(11) & 1 != 0
        settings.androidInstallApp = row.integer(11) & 2 != 0
        // A URL that today's rules refuse is as good as none: the link then leads nowhere, which is safe.
        settings.continueURL = row.optionalText(12).flatMap(ContinueURL.init)
        settings.iOSBundleID = row.optionalText(13)
        settings.iOSAppStoreID = row.optionalText(14)
        settings.androidPackageName = row.optionalText(15)
        settings.androidMinimumVersion = row.optionalText(16)
        settings.linkDomain = row.optionalText(17)
        var code = ActionCode(
            id: id, projectID: row.text(6), operation: operation, email: EmailAddress(storedText: row.text(7)),
            newEmail: row.optionalEmail(8), settings: settings, language: row.text(9), apiKey: row.text(10), createdAt: row.time(5),
            expiresAt: UnixTime(seconds: row.integer(0)))
        code.state = state
        code.misses = row.int(3)
        return code
    }
}
