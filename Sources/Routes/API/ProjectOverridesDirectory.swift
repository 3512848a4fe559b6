public import ActionCodes
public import Mail
internal import Synchronization

/// What administrators have changed of projects, in force at once.
///
/// `dev` lets anybody's tests change every project and forgets at its end. `serve` has the projects whose configuration says `configInDatabase`, and
/// keeps their changes in the store.
public final class ProjectOverridesDirectory: Sendable {
    private let store: (any ProjectOverridesStore)?
    private let changeable: Set<String>?
    private let current: Mutex<[String: ProjectOverrides]>
    private let turn = Turn()

    /// For `dev`: every project can be changed, until the end of the process.
    public init() {
        store = nil
        changeable = nil
        current = Mutex([:])
    }

    /// For `serve`: `projects` can be changed; what was changed of them before is in force again.
    public convenience init(store: any ProjectOverridesStore, projects: Set<String>) async throws(StoreError) {
        self.init(store: store, projects: projects, saved: try await store.projectOverrides())
    }

    init(store: any ProjectOverridesStore, projects: Set<String>, saved: [String: ProjectOverrides]) {
        self.store = store
        changeable = projects
        current = Mutex(saved.filter { projects.contains($0.key) })
    }

    /// The projects that have changes, in order.
    public var changedProjects: [String] { current.withLock { $0.filter { !$0.value.values.isEmpty }.keys.sorted() } }

    /// The project as it is changed now.
    public func apply(to project: Project) -> Project {
        guard let overrides = current.withLock({ $0[project.id] }) else { return project }
        return overrides.apply(to: project)
    }

    /// Whether a project can be changed.
    func allowsChanges(of project: String) -> Bool { changeable?.contains(project) ?? true }

    /// Changes settings, or with nil goes back to what is configured. In force when it returns, and on disk in `serve`.
    func change(_ changes: [(ProjectSetting, ProjectSettingValue?)], project: String) async throws(StoreError) {
        // One after the other, or the later of two changes could be saved first.
        await turn.begin()
        defer { turn.end() }
        let overrides = current.withLock { $0[project] ?? ProjectOverrides() }.changed(by: changes)
        try await store?.saveProjectOverrides(overrides, project: project)
        current.withLock { $0[project] = overrides }
    }

    /// Lets one caller go at a time, in the order in which they came.
    private final class Turn: Sendable {
        private let state = Mutex<(isTaken: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

        func begin() async {
            await withCheckedContinuation { continuation in
                let isMine = state.withLock { state in
                    if state.isTaken { state.waiters.append(continuation) }
                    defer { state.isTaken = true }
                    return !state.isTaken
                }
                if isMine { continuation.resume() }
            }
        }

        func end() {
            let next = state.withLock { state in
                state.isTaken = !state.waiters.isEmpty
                return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
            }
            next?.resume()
        }
    }
}
