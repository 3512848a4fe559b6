internal import Accounts
internal import Mail

extension SQLiteTransaction {
    func session(tokenHash: [UInt8]) throws(StoreError) -> Session? {
        try connection.first(
            "SELECT token_hash, project, user_id, sign_in_provider, auth_time FROM sessions WHERE token_hash = ?", tokenHash
        ) { row in
            Session(
                tokenHash: row.blob(0), projectID: row.text(1), userID: row.text(2), signInProvider: row.text(3), authTime: row.time(4))
        }
    }

    func insert(_ session: Session) throws(StoreError) {
        try connection.run(
            "INSERT INTO sessions (token_hash, project, user_id, sign_in_provider, auth_time) VALUES (?, ?, ?, ?, ?)",
            session.tokenHash, session.projectID, session.userID, session.signInProvider, session.authTime)
    }

    @discardableResult
    func deleteSessions(userID: String, project: String) throws(StoreError) -> Int {
        try connection.run("DELETE FROM sessions WHERE project = ? AND user_id = ?", project, userID)
    }
}
