internal import Mail

/// Deletes many accounts at once for administrators (`accounts:batchDelete` of Identity Toolkit).
public struct DeleteAccounts: Sendable {
    /// An account that was not deleted.
    public struct Problem: Sendable, Equatable {
        /// Its place in the request.
        public var index: Int
        /// Its id.
        public var userID: String
        /// Why.
        public var message: String
    }

    /// The most accounts in one call.
    public static let limit = 1000

    private let store: any AccountStore
    private let policy: AccountPolicy

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy) {
        self.store = store
        self.policy = policy
    }

    /// Deletes the accounts with these ids, in one transaction; ids that are unknown are no problem. Without `force`, accounts that are not
    /// shut stay, and are told.
    ///
    /// - Throws: `localIDListExceedsLimit` for no id and for more than 1,000.
    public func callAsFunction(userIDs: [String], force: Bool) async throws(AccountError) -> [Problem] {
        guard (1...Self.limit).contains(userIDs.count) else { throw .localIDListExceedsLimit }
        let project = policy.projectID
        return try await store.writing { transaction throws(StoreError) in
            var problems: [Problem] = []
            for (index, id) in userIDs.enumerated() {
                guard let user = try transaction.user(id: id, project: project) else { continue }
                if force || user.disabled {
                    _ = try transaction.deleteUser(id: id, project: project)
                } else {
                    problems.append(
                        Problem(index: index, userID: id, message: "NOT_DISABLED : Disable the account before batch deletion."))
                }
            }
            return .success(problems)
        }
    }
}
