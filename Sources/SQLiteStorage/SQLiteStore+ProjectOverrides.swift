public import ActionCodes
public import Mail

extension SQLiteStore {
    /// As the protocol says.
    public func projectOverrides() async throws(StoreError) -> [String: ProjectOverrides] {
        try await readers.read { transaction throws(StoreError) in
            let rows = try transaction.connection.rows("SELECT project, setting, value FROM project_overrides") { row throws(StoreError) in
                (row.text(0), row.text(1), row.text(2))
            }
            var values: [String: [ProjectSetting: ProjectSettingValue]] = [:]
            for (project, name, text) in rows {
                guard let setting = ProjectSetting(rawValue: name) else { continue }
                guard let value = ProjectSettingValue(stored: text, of: setting) else { throw .damaged("changed setting of a project") }
                values[project, default: [:]][setting] = value
            }
            return values.mapValues { ProjectOverrides($0) }
        }
    }

    /// As the protocol says.
    public func saveProjectOverrides(_ overrides: ProjectOverrides, project: String) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.connection.run("DELETE FROM project_overrides WHERE project = ?", project)
            for (setting, value) in overrides.values {
                try transaction.connection.run(
                    "INSERT INTO project_overrides (project, setting, value) VALUES (?, ?, ?)", project, setting.rawValue, value.stored)
            }
        }
    }
}
