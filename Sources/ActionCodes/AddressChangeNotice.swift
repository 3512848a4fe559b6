public import Accounts
public import Mail

/// Tells the holder of an address that an account has just given it up, and offers the way back (wire contract §8.2).
public protocol AddressChangeNotice: Sendable {
    /// Issues the code that leads back and accepts its mail to `former`, within the transaction that has changed the account.
    ///
    /// Like the body of every transaction this may run twice, so it has no effect but on the transaction.
    func addressReplaced(
        _ former: EmailAddress, of user: User, project: Project, in transaction: any StoreTransaction
    ) throws(StoreError)

    /// Called once what `addressReplaced` wrote is durable, so that the mail need not wait for the outbox's next look.
    func wake()
}
