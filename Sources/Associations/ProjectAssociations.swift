/// What one project contributes to the association files of a host.
public struct ProjectAssociations: Sendable, Equatable {
    /// The project's apps.
    public let apps: AssociatedApps

    /// What it wants for them.
    public let options: AssociationOptions

    /// Pairs apps with the options of their project.
    public init(apps: AssociatedApps, options: AssociationOptions = .none) {
        self.apps = apps
        self.options = options
    }

    /// No app.
    public static let none = ProjectAssociations(apps: AssociatedApps())
}
