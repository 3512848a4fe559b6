internal import Accounts
internal import ActionCodes
internal import Mail
internal import Platform

/// A transaction on a copy of a memory store's state. A class, because the protocol's methods do not say that they change anything.
final class MemoryTransaction: StoreTransaction {
    private(set) var state: MemoryState

    init(_ state: MemoryState) {
        self.state = state
    }

    func change(_ body: (inout MemoryState) -> Void) { body(&state) }

    // MARK: Codes

    func actionCode(_ id: ActionCodeID, expiresAt: UnixTime) throws(StoreError) -> ActionCode? {
        state.codes[id].flatMap { $0.expiresAt == expiresAt ? $0 : nil }
    }

    func liveActionCodes(project: String, now: UnixTime) throws(StoreError) -> [ActionCode] {
        liveCodes { $0.projectID == project && $0.expiresAt > now }
    }

    func insert(_ code: ActionCode, keepingAtMost limit: Int) throws(StoreError) {
        guard state.codes[code.id] == nil else { throw Self.taken }
        let earlier = liveCodes {
            $0.projectID == code.projectID && $0.email == code.email && $0.operation == code.operation
                && $0.expiresAt > code.createdAt
        }
        for old in earlier.dropLast(max(0, limit - 1)) { state.codes[old.id]?.state = .voided }
        state.codes[code.id] = code
    }

    func settle(_ code: ActionCode, as newState: ActionCode.State) throws(StoreError) -> Bool {
        guard state.codes[code.id]?.state == .live else { return false }
        state.codes[code.id]?.state = newState
        return true
    }

    func countMiss(of code: ActionCode) throws(StoreError) -> Int {
        state.codes[code.id]?.misses += 1
        return state.codes[code.id]?.misses ?? 0
    }

    func voidActionCodes(email: EmailAddress, project: String) throws(StoreError) {
        for code in liveCodes({ $0.projectID == project && $0.email == email && $0.operation != .recoverEmail }) {
            state.codes[code.id]?.state = .voided
        }
    }

    func voidActionCodes(userID: String, project: String, issuedSince time: UnixTime) throws(StoreError) {
        for code in liveCodes({ $0.projectID == project && $0.userID == userID && $0.createdAt >= time }) {
            state.codes[code.id]?.state = .voided
        }
    }

    func newestActionCode(
        email: EmailAddress, project: String, operation: ActionCodes.Operation, now: UnixTime
    ) throws(StoreError) -> ActionCode? {
        liveCodes { $0.projectID == project && $0.email == email && $0.operation == operation && $0.expiresAt > now }.last
    }

    func enqueue(_ entry: OutboxEntry) throws(StoreError) {
        state.lastOutboxID += 1
        var entry = entry
        entry.id = state.lastOutboxID
        state.outbox[entry.id] = MemoryState.OutboxRow(entry: entry, dueAt: entry.createdAt)
    }

    /// The oldest first.
    private func liveCodes(_ isWanted: (ActionCode) -> Bool) -> [ActionCode] {
        state.codes.values.filter { $0.state == .live && isWanted($0) }.sorted { left, right in
            if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
            if left.expiresAt != right.expiresAt { return left.expiresAt < right.expiresAt }
            return left.id.bytes.lexicographicallyPrecedes(right.id.bytes)
        }
    }

    // MARK: Accounts

    func user(id: String, project: String) throws(StoreError) -> User? {
        state.users[MemoryState.UserKey(project: project, id: id)]
    }

    func user(email: EmailAddress, project: String) throws(StoreError) -> User? {
        state.users.values.first { $0.projectID == project && $0.email == email }
    }

    func user(phoneNumber: String, project: String) throws(StoreError) -> User? {
        state.users.values.first { $0.projectID == project && $0.phoneNumber == phoneNumber }
    }

    func user(providerID: String, rawID: String, project: String) throws(StoreError) -> User? {
        state.users.values.first { user in
            user.projectID == project && user.federatedProviders.contains { $0.providerID == providerID && $0.rawID == rawID }
        }
    }

    func users(after id: String?, limit: Int, project: String) throws(StoreError) -> [User] {
        let all = state.users.values.filter { $0.projectID == project && $0.id > (id ?? "") }
        return Array(all.sorted { $0.id < $1.id }.prefix(limit))
    }

    func users(in order: UserOrder, offset: Int, limit: Int, project: String) throws(StoreError) -> [User] {
        let all = state.users.values.filter { $0.projectID == project }.sorted { $0.id < $1.id }
        // The sort is stable, so equal accounts stay in the order of their ids, descending too.
        let sorted = all.sorted { left, right in
            order.isDescending ? order.field.precedes(right, left) : order.field.precedes(left, right)
        }
        return Array(sorted.dropFirst(offset).prefix(limit))
    }

    func userCount(project: String) throws(StoreError) -> Int {
        state.users.values.count { $0.projectID == project }
    }

    func insert(_ user: User) throws(StoreError) {
        guard try self.user(id: user.id, project: user.projectID) == nil else { throw Self.taken }
        try put(user)
    }

    func update(_ user: User) throws(StoreError) {
        if try self.user(id: user.id, project: user.projectID) != nil { try put(user) }
    }

    func deleteUser(id: String, project: String) throws(StoreError) -> Bool {
        try deleteSessions(userID: id, project: project)
        return state.users.removeValue(forKey: MemoryState.UserKey(project: project, id: id)) != nil
    }

    func deleteAllUsers(project: String) throws(StoreError) {
        state.users = state.users.filter { $0.key.project != project }
        state.sessions = state.sessions.filter { $0.value.projectID != project }
    }

    func session(tokenHash: [UInt8]) throws(StoreError) -> Session? { state.sessions[tokenHash] }

    func insert(_ session: Session) throws(StoreError) {
        guard state.sessions[session.tokenHash] == nil else { throw Self.taken }
        state.sessions[session.tokenHash] = session
    }

    @discardableResult
    func deleteSessions(userID: String, project: String) throws(StoreError) -> Int {
        let before = state.sessions.count
        state.sessions = state.sessions.filter { $0.value.userID != userID || $0.value.projectID != project }
        return before - state.sessions.count
    }

    private func put(_ user: User) throws(StoreError) {
        let others = state.users.values.filter { $0.projectID == user.projectID && $0.id != user.id }
        let clashes = others.contains { other in
            (user.email != nil && other.email == user.email) || (user.phoneNumber != nil && other.phoneNumber == user.phoneNumber)
                || other.federatedProviders.contains { linked in
                    user.federatedProviders.contains { $0.providerID == linked.providerID && $0.rawID == linked.rawID }
                }
        }
        if clashes { throw Self.taken }
        state.users[MemoryState.UserKey(project: user.projectID, id: user.id)] = user
    }

    /// What a database's unique index says.
    private static let taken = StoreError.unavailable(cause: "constraint failed")
}

extension UserOrder.Field {
    /// Whether `left` comes first for sure: texts by their bytes, what is missing before everything else.
    fileprivate func precedes(_ left: User, _ right: User) -> Bool {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        func compare<Value>(_ left: Value?, _ right: Value?, _ precedes: (Value, Value) -> Bool) -> Bool {
            guard let right else { return false }
            return left.map { precedes($0, right) } ?? true
        }
        let inBytes = { (left: [UInt8], right: [UInt8]) in left.lexicographicallyPrecedes(right) }
        return switch self {
        case .id: compare(bytes(left.id), bytes(right.id), inBytes)
        case .displayName: compare(bytes(left.displayName), bytes(right.displayName), inBytes)
        case .email: compare(bytes(left.email?.text), bytes(right.email?.text), inBytes)
        case .createdAt: left.createdAt < right.createdAt
        case .lastLoginAt: compare(left.lastLoginAt, right.lastLoginAt, <)
        }
    }
}
