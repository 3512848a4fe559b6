extension Migration {
    /// Who gets no mail, and how often six digits were tried.
    ///
    /// * `suppressions` holds addresses in clear: it is the operator's list.
    /// * `digits_tries` holds tries of the last minutes, by the keyed hash of project and address (see `AddressHash`): strangers type what they like,
    ///   and none of it is kept.
    static let recipients = Migration(
        version: 4,
        sql: """
            CREATE TABLE suppressions (
                project TEXT NOT NULL,
                email TEXT NOT NULL,
                cause INTEGER NOT NULL,
                detail TEXT NOT NULL,
                since INTEGER NOT NULL,
                until INTEGER,
                PRIMARY KEY (project, email)
            ) WITHOUT ROWID;
            CREATE INDEX suppressions_until ON suppressions (until) WHERE until IS NOT NULL;

            CREATE TABLE digits_tries (
                address_hash INTEGER NOT NULL,
                tried_at INTEGER NOT NULL
            );
            CREATE INDEX digits_tries_address ON digits_tries (address_hash, tried_at);
            CREATE INDEX digits_tries_time ON digits_tries (tried_at);
            """)
}
