public import Mail

/// What can be read about accounts, within one consistent view.
public protocol AccountReader {
    /// The account with this id.
    func user(id: String, project: String) throws(StoreError) -> User?
    /// The account with this address.
    func user(email: EmailAddress, project: String) throws(StoreError) -> User?
    /// The account with this phone number.
    func user(phoneNumber: String, project: String) throws(StoreError) -> User?
    /// The account linked to this sign-in at another provider.
    func user(providerID: String, rawID: String, project: String) throws(StoreError) -> User?
    /// Accounts in the order of their ids, those after `id` (all when nil), at most `limit`.
    func users(after id: String?, limit: Int, project: String) throws(StoreError) -> [User]
    /// Accounts in another order, at most `limit` of those behind the first `offset`; equal ones in the order of their ids. Sorts all
    /// accounts of the project, so it is for administrators.
    func users(in order: UserOrder, offset: Int, limit: Int, project: String) throws(StoreError) -> [User]
    /// How many accounts the project has.
    func userCount(project: String) throws(StoreError) -> Int
    /// The session behind a refresh token's hash.
    func session(tokenHash: [UInt8]) throws(StoreError) -> Session?
}

/// What can be changed about accounts, within one transaction. Reads see the transaction's own writes.
public protocol AccountTransaction: AccountReader {
    /// Adds an account. The caller has looked, within this transaction, that id, address and number are free.
    func insert(_ user: User) throws(StoreError)
    /// Replaces an account that exists.
    func update(_ user: User) throws(StoreError)
    /// Removes an account with its sessions and linked providers; gives whether there was one.
    func deleteUser(id: String, project: String) throws(StoreError) -> Bool
    /// Removes all accounts of a project with their sessions.
    func deleteAllUsers(project: String) throws(StoreError)
    /// Adds a session.
    func insert(_ session: Session) throws(StoreError)
    /// Ends all sessions of an account; gives how many there were.
    @discardableResult
    func deleteSessions(userID: String, project: String) throws(StoreError) -> Int
}
