internal import Accounts
internal import Mail

extension SQLiteTransaction {
    func userCount(project: String) throws(StoreError) -> Int {
        try connection.first("SELECT count(*) FROM users WHERE project = ?", project) { $0.int(0) } ?? 0
    }

    func users(in order: UserOrder, offset: Int, limit: Int, project: String) throws(StoreError) -> [User] {
        // A page's ids are sorted first, so that sorting carries no whole accounts along.
        let ids = try ids(in: order, offset: offset, limit: limit, project: project)
        var users: [User] = []
        users.reserveCapacity(ids.count)
        for id in ids {
            if let user = try user(id: id, project: project) { users.append(user) }
        }
        return users
    }

    /// A statement an order: names cannot be bound.
    private func ids(in order: UserOrder, offset: Int, limit: Int, project: String) throws(StoreError) -> [String] {
        let sql: StaticString =
            switch (order.field, order.isDescending) {
            case (.id, false): "SELECT id FROM users WHERE project = ? ORDER BY id LIMIT ? OFFSET ?"
            case (.id, true): "SELECT id FROM users WHERE project = ? ORDER BY id DESC LIMIT ? OFFSET ?"
            case (.displayName, false): "SELECT id FROM users WHERE project = ? ORDER BY display_name, id LIMIT ? OFFSET ?"
            case (.displayName, true): "SELECT id FROM users WHERE project = ? ORDER BY display_name DESC, id LIMIT ? OFFSET ?"
            case (.createdAt, false): "SELECT id FROM users WHERE project = ? ORDER BY created_at, id LIMIT ? OFFSET ?"
            case (.createdAt, true): "SELECT id FROM users WHERE project = ? ORDER BY created_at DESC, id LIMIT ? OFFSET ?"
            case (.lastLoginAt, false): "SELECT id FROM users WHERE project = ? ORDER BY last_login_at, id LIMIT ? OFFSET ?"
            case (.lastLoginAt, true): "SELECT id FROM users WHERE project = ? ORDER BY last_login_at DESC, id LIMIT ? OFFSET ?"
            case (.email, false): "SELECT id FROM users WHERE project = ? ORDER BY email, id LIMIT ? OFFSET ?"
            case (.email, true): "SELECT id FROM users WHERE project = ? ORDER BY email DESC, id LIMIT ? OFFSET ?"
            }
        return try connection.rows(sql, project, limit, offset) { $0.text(0) }
    }
}
