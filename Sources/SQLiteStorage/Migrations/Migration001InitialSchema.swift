extension Migration {
    /// Codes, accounts and the outbox.
    ///
    /// * `action_codes` lies in the order of expiry, so that codes issued together are appended together and a purge deletes a range.
    /// * The index that every code is in holds live ones, by generation (see `LiveCodeIndex`) and by a keyed hash of project and address (see
    ///   `AddressHash`): with millions of codes stored, inserts cost what their random index pages cost. The other index holds codes that are bound to an account,
    ///   which most are not.
    /// * `outbox` numbers with AUTOINCREMENT, because sent entries are deleted and a number must not come back.
    /// * `due_at` is the time of a waiting entry, the end of the lease of a leased one, and NULL for settled ones.
    static let initialSchema = Migration(
        version: 1,
        sql: """
            CREATE TABLE hash_keys (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                key BLOB NOT NULL
            );
            INSERT INTO hash_keys (id, key) VALUES (1, randomblob(16));

            CREATE TABLE action_codes (
                expires_at INTEGER NOT NULL,
                id BLOB NOT NULL,
                state INTEGER NOT NULL,
                misses INTEGER NOT NULL,
                operation INTEGER NOT NULL,
                generation INTEGER NOT NULL,
                address_hash INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                project TEXT NOT NULL,
                email TEXT NOT NULL,
                new_email TEXT,
                language TEXT NOT NULL,
                api_key TEXT NOT NULL,
                flags INTEGER NOT NULL,
                continue_url TEXT,
                ios_bundle_id TEXT,
                ios_app_store_id TEXT,
                android_package_name TEXT,
                android_minimum_version TEXT,
                link_domain TEXT,
                user_id TEXT,
                PRIMARY KEY (expires_at, id)
            ) WITHOUT ROWID;
            CREATE INDEX action_codes_live ON action_codes (generation, address_hash, operation) WHERE state = 0;
            CREATE INDEX action_codes_user ON action_codes (project, user_id) WHERE state = 0 AND user_id IS NOT NULL;

            CREATE TABLE code_generations (
                generation INTEGER PRIMARY KEY,
                filter BLOB NOT NULL,
                last_expiry INTEGER NOT NULL
            );

            CREATE TABLE outbox (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                due_at INTEGER,
                state INTEGER NOT NULL,
                attempts INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                settled_at INTEGER,
                project TEXT NOT NULL,
                recipient_domain TEXT NOT NULL,
                code_id BLOB NOT NULL,
                message_token BLOB NOT NULL,
                owner TEXT,
                reason TEXT
            );
            CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX outbox_settled ON outbox (settled_at) WHERE settled_at IS NOT NULL;

            CREATE TABLE users (
                project TEXT NOT NULL,
                id TEXT NOT NULL,
                email TEXT,
                phone_number TEXT,
                providers TEXT,
                flags INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                valid_since INTEGER NOT NULL,
                last_login_at INTEGER,
                last_refresh_at INTEGER,
                password_hash TEXT,
                password_updated_at INTEGER,
                display_name TEXT,
                photo_url TEXT,
                initial_email TEXT,
                custom_attributes TEXT,
                token_epoch INTEGER NOT NULL,
                PRIMARY KEY (project, id)
            ) WITHOUT ROWID;
            CREATE UNIQUE INDEX users_email ON users (project, email) WHERE email IS NOT NULL;
            CREATE UNIQUE INDEX users_phone_number ON users (project, phone_number) WHERE phone_number IS NOT NULL;

            CREATE TABLE user_providers (
                project TEXT NOT NULL,
                provider_id TEXT NOT NULL,
                raw_id TEXT NOT NULL,
                user_id TEXT NOT NULL,
                PRIMARY KEY (project, provider_id, raw_id)
            ) WITHOUT ROWID;
            CREATE INDEX user_providers_user ON user_providers (project, user_id);

            CREATE TABLE sessions (
                token_hash BLOB NOT NULL PRIMARY KEY,
                project TEXT NOT NULL,
                user_id TEXT NOT NULL,
                sign_in_provider TEXT NOT NULL,
                auth_time INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX sessions_user ON sessions (project, user_id);
            """)
}
