extension Migration {
    /// Settings that administrators have changed, a row a setting.
    static let projectOverrides = Migration(
        version: 3,
        sql: """
            CREATE TABLE project_overrides (
                project TEXT NOT NULL,
                setting TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (project, setting)
            ) WITHOUT ROWID;
            """)
}
