public import Mail

/// Where changed settings outlive a restart.
public protocol ProjectOverridesStore: Sendable {
    /// The changes of every project that has any, by its id. A setting that this version does not know is left out.
    func projectOverrides() async throws(StoreError) -> [String: ProjectOverrides]

    /// Puts the changes of a project in place of the former ones; durable when it returns.
    func saveProjectOverrides(_ overrides: ProjectOverrides, project: String) async throws(StoreError)
}
