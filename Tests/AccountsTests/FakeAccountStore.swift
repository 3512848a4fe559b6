import Accounts
import Mail
import Platform
import Synchronization

/// Accounts in two dictionaries, all transactions one after the other.
final class FakeAccountStore: AccountStore {
    struct State: Sendable {
        var users: [String: User] = [:]
        var sessions: [[UInt8]: Session] = [:]
        var writes = 0
    }

    private let state = Mutex(State())
    private let failure: StoreError?
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    init(failure: StoreError? = nil) {
        self.failure = failure
    }

    var users: [User] { state.withLock { Array($0.users.values) } }
    var sessions: [Session] { state.withLock { Array($0.sessions.values) } }
    var writes: Int { state.withLock { $0.writes } }

    func user(_ id: String) -> User? { state.withLock { $0.users[id] } }

    /// Does something between what a use case has read so far and its next transaction, as another request would.
    func beforeNextWrite(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }

    func put(_ user: User) { state.withLock { $0.users[user.id] = user } }
    func put(_ session: Session) { state.withLock { $0.sessions[session.tokenHash] = session } }

    func readAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountReader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        if let failure { throw failure }
        return try body(Transaction(state.withLock { $0 }))
    }

    func writeAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any AccountTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        if let failure { throw failure }
        let interruption = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        interruption?()
        return try state.withLock { state throws(StoreError) in
            // Twice, as a store may: a body with an effect of its own would show.
            _ = try body(Transaction(state))
            let transaction = Transaction(state)
            let value = try body(transaction)
            state = transaction.state
            state.writes += 1
            return value
        }
    }

    private final class Transaction: AccountTransaction {
        var state: State

        init(_ state: State) {
            self.state = state
        }

        /// Looks at all accounts, also behind a match: an index, too, takes the same time for what it has and what it has not.
        private func first(_ project: String, _ isMatch: (User) -> Bool) -> User? {
            var match: String?
            for (id, user) in state.users where user.projectID == project && isMatch(user) { match = id }
            return match.flatMap { state.users[$0] }
        }

        func user(id: String, project: String) -> User? { first(project) { $0.id == id } }
        func user(email: EmailAddress, project: String) -> User? { first(project) { $0.email == email } }
        func user(phoneNumber: String, project: String) -> User? { first(project) { $0.phoneNumber == phoneNumber } }
        func user(providerID: String, rawID: String, project: String) -> User? {
            first(project) { $0.federatedProviders.contains { $0.providerID == providerID && $0.rawID == rawID } }
        }
        func users(after id: String?, limit: Int, project: String) -> [User] {
            Array(state.users.values.filter { $0.projectID == project && $0.id > id ?? "" }.sorted { $0.id < $1.id }.prefix(limit))
        }
        func users(in order: UserOrder, offset: Int, limit: Int, project: String) -> [User] {
            let all = state.users.values.filter { $0.projectID == project }.sorted { $0.id < $1.id }
            let sorted = order == .ascending(.createdAt) ? all.sorted { $0.createdAt < $1.createdAt } : all
            return Array(sorted.dropFirst(offset).prefix(limit))
        }
        func userCount(project: String) -> Int { state.users.values.count { $0.projectID == project } }
        func session(tokenHash: [UInt8]) -> Session? { state.sessions[tokenHash] }

        func insert(_ user: User) {
            precondition(state.users.updateValue(user, forKey: user.id) == nil, "the id is taken")
        }
        func update(_ user: User) {
            precondition(state.users.updateValue(user, forKey: user.id) != nil, "no such account")
        }
        func deleteUser(id: String, project: String) -> Bool {
            guard user(id: id, project: project) != nil else { return false }
            state.users[id] = nil
            deleteSessions(userID: id, project: project)
            return true
        }
        func deleteAllUsers(project: String) {
            state.users = state.users.filter { $0.value.projectID != project }
        }
        func insert(_ session: Session) { state.sessions[session.tokenHash] = session }
        @discardableResult
        func deleteSessions(userID: String, project: String) -> Int {
            let before = state.sessions.count
            state.sessions = state.sessions.filter { $0.value.userID != userID || $0.value.projectID != project }
            return before - state.sessions.count
        }
    }
}
