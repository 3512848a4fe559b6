internal import Mail

/// Finds or counts accounts for administrators (`accounts:query` of Identity Toolkit).
public struct QueryAccounts: Sendable {
    /// What accounts must match; of several, the first in this order counts.
    public struct Expression: Sendable {
        /// The address, in any case; one that is no address matches nothing.
        public var email: String?
        /// The number, in E.164.
        public var phoneNumber: String?
        /// The id.
        public var userID: String?

        /// Makes an expression.
        public init(email: String? = nil, phoneNumber: String? = nil, userID: String? = nil) {
            self.email = email
            self.phoneNumber = phoneNumber
            self.userID = userID
        }
    }

    /// What is asked for.
    public struct Request: Sendable {
        /// Whether accounts are wanted, or only how many there are. Default true.
        public var returnsUsers = true
        /// The most accounts, 1 to 500. Default 500.
        public var limit: Int?
        /// How many accounts are left out. Default 0.
        public var offset: Int?
        /// Default by id, the smallest first.
        public var order = UserOrder.ascending(.id)
        /// Alternatives, of which only the first counts, as in production; none means all accounts.
        public var expressions: [Expression] = []

        /// Makes a request for the first 500 accounts.
        public init() {}
    }

    /// What was found.
    public struct Answer: Sendable, Equatable {
        /// How many accounts `users` holds; or, when none are wanted, how many match.
        public var count: Int
        /// Nil when none are wanted.
        public var users: [User]?
    }

    /// The most accounts in one answer.
    public static let limit = 500

    private let store: any AccountStore
    private let policy: AccountPolicy

    /// Makes the use case for one project.
    public init(store: any AccountStore, policy: AccountPolicy) {
        self.store = store
        self.policy = policy
    }

    /// The accounts that match, or their number.
    ///
    /// - Throws: `invalidPageSelection` for a limit or offset out of range.
    public func callAsFunction(_ request: Request) async throws(AccountError) -> Answer {
        let (limit, offset) = (request.limit ?? Self.limit, request.offset ?? 0)
        guard (1...Self.limit).contains(limit), offset >= 0 else { throw .invalidPageSelection }
        let project = policy.projectID
        return try await store.reading { reader throws(StoreError) in
            if let expression = request.expressions.first {
                let found = try Self.match(expression, project: project, in: reader).map { [$0] } ?? []
                guard request.returnsUsers else { return .success(Answer(count: found.count)) }
                let users = Array(found.dropFirst(offset))
                return .success(Answer(count: users.count, users: users))
            }
            guard request.returnsUsers else { return .success(Answer(count: try reader.userCount(project: project))) }
            let users = try reader.users(in: request.order, offset: offset, limit: limit, project: project)
            return .success(Answer(count: users.count, users: users))
        }
    }

    /// Each of the three is unique within a project, so that at most one account matches.
    private static func match(
        _ expression: Expression, project: String, in reader: any AccountReader
    ) throws(StoreError) -> User? {
        if let email = expression.email {
            guard let email = try? EmailAddress(email) else { return nil }
            return try reader.user(email: email, project: project)
        }
        if let number = expression.phoneNumber {
            guard let number = PhoneNumber.normalized(number) else { return nil }
            return try reader.user(phoneNumber: number, project: project)
        }
        guard let userID = expression.userID else { return nil }
        return try reader.user(id: userID, project: project)
    }
}
