internal import Mail

/// Goes through all accounts of a project, page by page, for administrators (wire contract §13).
public struct ListAccounts: Sendable {
    /// One page.
    public struct Page: Sendable, Equatable {
        /// In the order of their ids.
        public var users: [User]
        /// Where the next page begins; nil behind a page that was not full.
        public var nextPageToken: String?
    }

    /// The most accounts on a page.
    public static let limit = 1000
    private static let defaultSize = 20

    private let store: any AccountStore
    private let policy: AccountPolicy

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy) {
        self.store = store
        self.policy = policy
    }

    /// The page behind `pageToken`, the first one without. `size` is 20 when nil or 0, and 1,000 at most.
    ///
    /// A page token is an id, so accounts that come and go between two pages neither repeat nor hide others.
    /// - Throws: `invalidPageSelection` for a negative size.
    public func callAsFunction(size: Int?, pageToken: String?) async throws(AccountError) -> Page {
        guard size ?? 0 >= 0 else { throw .invalidPageSelection }
        let wanted = min(size.flatMap { $0 == 0 ? nil : $0 } ?? Self.defaultSize, Self.limit)
        let after = pageToken.flatMap { $0.isEmpty ? nil : $0 }
        let project = policy.projectID
        let users = try await store.reading { reader throws(StoreError) in
            .success(try reader.users(after: after, limit: wanted, project: project))
        }
        return Page(users: users, nextPageToken: users.count == wanted ? users.last?.id : nil)
    }
}
