/// What a project's pages have of their own.
public struct PageAppearance: Sendable, Equatable {
    /// The colour of buttons and links; nil for Postern's.
    public var accentColor: AccentColor?
    /// The picture above the heading.
    public var logo: PageLogo?

    /// Makes an appearance; by default that of every project.
    public init(accentColor: AccentColor? = nil, logo: PageLogo? = nil) {
        self.accentColor = accentColor
        self.logo = logo
    }
}
