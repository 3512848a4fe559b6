internal import ActionCodes
internal import Mail
internal import Platform

extension SQLiteTransaction {
    func actionCode(_ id: ActionCodeID, expiresAt: UnixTime) throws(StoreError) -> ActionCode? {
        try connection.first(
            """
            SELECT expires_at, id, state, misses, operation, created_at, project, email, new_email, language, api_key, flags,
                continue_url, ios_bundle_id, ios_app_store_id, android_package_name, android_minimum_version, link_domain, user_id
            FROM action_codes WHERE expires_at = ? AND id = ?
            """, expiresAt, id.bytes, element: Self.actionCode)
    }

    /// Reads all codes that have not expired: only `dev`, with its few codes, asks for this.
    func liveActionCodes(project: String, now: UnixTime) throws(StoreError) -> [ActionCode] {
        try connection.rows(
            """
            SELECT expires_at, id, state, misses, operation, created_at, project, email, new_email, language, api_key, flags,
                continue_url, ios_bundle_id, ios_app_store_id, android_package_name, android_minimum_version, link_domain, user_id
            FROM action_codes WHERE expires_at > ? AND state = 0 AND project = ? ORDER BY created_at, expires_at, id
            """, now, project, element: Self.actionCode)
    }

    func insert(_ code: ActionCode, keepingAtMost limit: Int) throws(StoreError) {
        guard let liveCodes else { throw .unavailable(cause: "a code was to be inserted in a transaction that only reads") }
        let hash = addressHash.value(project: code.projectID, email: code.email)
        let kept = max(0, limit - 1)
        let earlier = try self.liveCodes(hash, email: code.email, project: code.projectID)
            .filter { $0.operation == code.operation && $0.expiresAt > code.createdAt }
        if earlier.count > kept {
            for old in earlier.sorted(by: Self.isOlder).dropLast(kept) { _ = try settle(old, as: .voided) }
        }
        let generation = try liveCodes.generation(
            for: hash, of: code, connection)
        let settings = code.settings
        let flags = (settings.canHandleCodeInApp ? 1 : 0) | (settings.androidInstallApp ? 2 : 0)
        try connection.run(
            """
            INSERT INTO action_codes (expires_at, id, state, misses, operation, generation, address_hash, created_at, project, email,
                new_email, language, api_key, flags, continue_url, ios_bundle_id, ios_app_store_id, android_package_name,
                android_minimum_version, link_domain, user_id)
            VALUES (?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, code.expiresAt, code.id.bytes, Int(code.operation.rawValue), generation, hash, code.createdAt, code.projectID,
            code.email, code.newEmail, code.language, code.apiKey, flags, settings.continueURL?.text, settings.iOSBundleID,
            settings.iOSAppStoreID, settings.androidPackageName, settings.androidMinimumVersion, settings.linkDomain, code.userID)
    }

    func newestActionCode(
        email: EmailAddress, project: String, operation: Operation, now: UnixTime
    ) throws(StoreError) -> ActionCode? {
        let hash = addressHash.value(project: project, email: email)
        return try liveCodes(hash, email: email, project: project).filter { $0.operation == operation && $0.expiresAt > now }
            .max(by: Self.isOlder)
    }

    private static func isOlder(_ left: ActionCode, _ right: ActionCode) -> Bool {
        if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
        if left.expiresAt != right.expiresAt { return left.expiresAt < right.expiresAt }
        return left.id.bytes.lexicographicallyPrecedes(right.id.bytes)
    }

    func settle(_ code: ActionCode, as state: ActionCode.State) throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE action_codes SET state = ? WHERE expires_at = ? AND id = ? AND state = 0",
            Int(state.rawValue), code.expiresAt, code.id.bytes) == 1
    }

    func countMiss(of code: ActionCode) throws(StoreError) -> Int {
        try connection.first(
            "UPDATE action_codes SET misses = misses + 1 WHERE expires_at = ? AND id = ? RETURNING misses",
            code.expiresAt, code.id.bytes
        ) { $0.int(0) } ?? 0
    }

    func voidActionCodes(email: EmailAddress, project: String) throws(StoreError) {
        let hash = addressHash.value(project: project, email: email)
        for code in try liveCodes(hash, email: email, project: project) where code.operation != .recoverEmail {
            _ = try settle(code, as: .voided)
        }
    }

    func voidActionCodes(userID: String, project: String, issuedSince time: UnixTime) throws(StoreError) {
        try connection.run(
            """
            UPDATE action_codes SET state = 2 WHERE (expires_at, id) IN (
                SELECT expires_at, id FROM action_codes INDEXED BY action_codes_user
                WHERE state = 0 AND user_id IS NOT NULL AND project = ? AND user_id = ? AND created_at >= ?)
            """, project, userID, time)
    }

    /// The live codes of an address, expired ones too.
    private func liveCodes(_ hash: Int64, email: EmailAddress, project: String) throws(StoreError) -> [ActionCode] {
        var codes: [ActionCode] = []
        for generation in try liveCodes?.candidates(hash, connection) ?? [] {
            codes += try connection.rows(
                """
                SELECT expires_at, id, state, misses, operation, created_at, project, email, new_email, language, api_key, flags,
                    continue_url, ios_bundle_id, ios_app_store_id, android_package_name, android_minimum_version, link_domain, user_id
                FROM action_codes INDEXED BY action_codes_live
                WHERE state = 0 AND generation = ? AND address_hash = ? AND project = ? AND email = ?
                """, generation, hash, project, email, element: Self.actionCode)
        }
        return codes
    }

    /// Deletes codes that expired before `time`, at most `limit`; gives how many.
    func purgeActionCodes(expiredBefore time: UnixTime, limit: Int) throws(StoreError) -> Int {
        let count = try connection.run(
            """
            DELETE FROM action_codes WHERE (expires_at, id) IN (
                SELECT expires_at, id FROM action_codes WHERE expires_at < ? ORDER BY expires_at, id LIMIT ?)
            """, time, limit)
        if count < limit { try liveCodes?.forget(expiredBefore: time, connection) }
        return count
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
            newEmail: row.optionalEmail(8), userID: row.optionalText(18), settings: settings, language: row.text(9), apiKey: row.text(10),
            createdAt: row.time(5), expiresAt: row.time(0))
        code.state = state
        code.misses = row.int(3)
        return code
    }
}
