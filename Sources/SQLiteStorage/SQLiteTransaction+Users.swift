internal import Accounts
internal import FoundationEssentials
internal import Mail
internal import Platform

extension SQLiteTransaction {
    func user(id: String, project: String) throws(StoreError) -> User? {
        try connection.first(
            """
            SELECT project, id, email, phone_number, providers, flags, created_at, valid_since, last_login_at, last_refresh_at,
                password_hash, password_updated_at, display_name, photo_url, initial_email, custom_attributes, token_epoch
            FROM users WHERE project = ? AND id = ?
            """, project, id, element: Self.user)
    }

    func user(email: EmailAddress, project: String) throws(StoreError) -> User? {
        try connection.first(
            """
            SELECT project, id, email, phone_number, providers, flags, created_at, valid_since, last_login_at, last_refresh_at,
                password_hash, password_updated_at, display_name, photo_url, initial_email, custom_attributes, token_epoch
            FROM users INDEXED BY users_email WHERE project = ? AND email = ?
            """, project, email, element: Self.user)
    }

    func user(phoneNumber: String, project: String) throws(StoreError) -> User? {
        try connection.first(
            """
            SELECT project, id, email, phone_number, providers, flags, created_at, valid_since, last_login_at, last_refresh_at,
                password_hash, password_updated_at, display_name, photo_url, initial_email, custom_attributes, token_epoch
            FROM users INDEXED BY users_phone_number WHERE project = ? AND phone_number = ?
            """, project, phoneNumber, element: Self.user)
    }

    func user(providerID: String, rawID: String, project: String) throws(StoreError) -> User? {
        let id = try connection.first(
            "SELECT user_id FROM user_providers WHERE project = ? AND provider_id = ? AND raw_id = ?", project, providerID, rawID
        ) { $0.text(0) }
        guard let id else { return nil }
        return try user(id: id, project: project)
    }

    func users(after id: String?, limit: Int, project: String) throws(StoreError) -> [User] {
        try connection.rows(
            """
            SELECT project, id, email, phone_number, providers, flags, created_at, valid_since, last_login_at, last_refresh_at,
                password_hash, password_updated_at, display_name, photo_url, initial_email, custom_attributes, token_epoch
            FROM users WHERE project = ? AND id > ? ORDER BY id LIMIT ?
            """, project, id ?? "", limit, element: Self.user)
    }

    func insert(_ user: User) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO users (project, id, email, phone_number, providers, flags, created_at, valid_since, last_login_at,
                last_refresh_at, password_hash, password_updated_at, display_name, photo_url, initial_email, custom_attributes,
                token_epoch)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, user.projectID, user.id, user.email, user.phoneNumber, try Self.text(of: user.federatedProviders), Self.flags(of: user),
            user.createdAt, user.validSince, user.lastLoginAt, user.lastRefreshAt, user.passwordHash, user.passwordUpdatedAt,
            user.displayName, user.photoURL, user.initialEmail, user.customAttributes, user.tokenEpoch)
        try insertProviders(of: user)
    }

    func update(_ user: User) throws(StoreError) {
        let providers = try Self.text(of: user.federatedProviders)
        // The usual update is a sign-in. Leaving the indexed columns out of SET spares it the writes to their indexes.
        let sameIdentity = try connection.run(
            """
            UPDATE users SET flags = ?6, created_at = ?7, valid_since = ?8, last_login_at = ?9, last_refresh_at = ?10,
                password_hash = ?11, password_updated_at = ?12, display_name = ?13, photo_url = ?14, initial_email = ?15,
                custom_attributes = ?16, token_epoch = ?17
            WHERE project = ?1 AND id = ?2 AND email IS ?3 AND phone_number IS ?4 AND providers IS ?5
            """, user.projectID, user.id, user.email, user.phoneNumber, providers, Self.flags(of: user), user.createdAt,
            user.validSince, user.lastLoginAt, user.lastRefreshAt, user.passwordHash, user.passwordUpdatedAt, user.displayName,
            user.photoURL, user.initialEmail, user.customAttributes, user.tokenEpoch)
        if sameIdentity == 1 { return }
        let updated = try connection.run(
            """
            UPDATE users SET email = ?3, phone_number = ?4, providers = ?5, flags = ?6, created_at = ?7, valid_since = ?8,
                last_login_at = ?9, last_refresh_at = ?10, password_hash = ?11, password_updated_at = ?12, display_name = ?13,
                photo_url = ?14, initial_email = ?15, custom_attributes = ?16, token_epoch = ?17
            WHERE project = ?1 AND id = ?2
            """, user.projectID, user.id, user.email, user.phoneNumber, providers, Self.flags(of: user), user.createdAt,
            user.validSince, user.lastLoginAt, user.lastRefreshAt, user.passwordHash, user.passwordUpdatedAt, user.displayName,
            user.photoURL, user.initialEmail, user.customAttributes, user.tokenEpoch)
        guard updated == 1 else { return }
        try deleteProviders(userID: user.id, project: user.projectID)
        try insertProviders(of: user)
    }

    func deleteUser(id: String, project: String) throws(StoreError) -> Bool {
        try deleteSessions(userID: id, project: project)
        try deleteProviders(userID: id, project: project)
        return try connection.run("DELETE FROM users WHERE project = ? AND id = ?", project, id) == 1
    }

    func deleteAllUsers(project: String) throws(StoreError) {
        try connection.run("DELETE FROM sessions WHERE project = ?", project)
        try connection.run("DELETE FROM user_providers WHERE project = ?", project)
        try connection.run("DELETE FROM users WHERE project = ?", project)
    }

    private func deleteProviders(userID: String, project: String) throws(StoreError) {
        try connection.run("DELETE FROM user_providers WHERE project = ? AND user_id = ?", project, userID)
    }

    private func insertProviders(of user: User) throws(StoreError) {
        for provider in user.federatedProviders {
            try connection.run(
                "INSERT INTO user_providers (project, provider_id, raw_id, user_id) VALUES (?, ?, ?, ?)",
                user.projectID, provider.providerID, provider.rawID, user.id)
        }
    }

    // MARK: Columns

    private static func flags(of user: User) -> Int {
        (user.emailVerified ? 1 : 0) | (user.emailLinkSignIn ? 2 : 0) | (user.disabled ? 4 : 0)
    }

    private static func text(of providers: [FederatedProvider]) throws(StoreError) -> String? {
        if providers.isEmpty { return nil }
        do {
            let encoder = JSONEncoder()
            // The same providers always make the same text, which `update` compares.
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(providers), as: UTF8.self)
        } catch {
            throw .unavailable(cause: "linked providers could not be encoded")
        }
    }

    private static func user(_ row: Connection.Row) throws(StoreError) -> User {
        var user = User(id: row.text(1), projectID: row.text(0), createdAt: row.time(6))
        user.email = row.optionalEmail(2)
        user.phoneNumber = row.optionalText(3)
        if let providers = row.optionalText(4) {
            do {
                user.federatedProviders = try JSONDecoder().decode([FederatedProvider].self, from: Data(providers.utf8))
            } catch {
                throw .damaged("list of linked providers")
            }
        }
        let flags = row.integer(5)
        user.emailVerified = flags & 1 != 0
        user.emailLinkSignIn = flags & 2 != 0
        user.disabled = flags & 4 != 0
        user.validSince = row.time(7)
        user.lastLoginAt = row.optionalTime(8)
        user.lastRefreshAt = row.optionalTime(9)
        user.passwordHash = row.optionalText(10)
        user.passwordUpdatedAt = row.optionalTime(11)
        user.displayName = row.optionalText(12)
        user.photoURL = row.optionalText(13)
        user.initialEmail = row.optionalEmail(14)
        user.customAttributes = row.optionalText(15)
        user.restoreTokenEpoch(row.integer(16))
        return user
    }
}
