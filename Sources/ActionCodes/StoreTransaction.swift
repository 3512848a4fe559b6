public import Accounts
public import Mail
public import Platform

/// What can be read within one consistent view.
public protocol StoreReader: AccountReader {
    /// The code with this id. `expiresAt` is part of every code and comes first in the key, so that codes that expire together lie together.
    func actionCode(_ id: ActionCodeID, expiresAt: UnixTime) throws(StoreError) -> ActionCode?

    /// The live, unexpired codes of a project, oldest first; for the emulator's list in `dev`.
    func liveActionCodes(project: String, now: UnixTime) throws(StoreError) -> [ActionCode]
}

/// What can be changed within one transaction. Reads see the transaction's own writes.
public protocol StoreTransaction: StoreReader, AccountTransaction {
    /// Adds a live code. When more than `limit` codes of the same project, address and operation are then live, the oldest are voided.
    func insert(_ code: ActionCode, keepingAtMost limit: Int) throws(StoreError)

    /// Sets the state of a live code; gives false, and changes nothing, when the code is not live any more.
    func settle(_ code: ActionCode, as state: ActionCode.State) throws(StoreError) -> Bool

    /// Counts one more try with a wrong address; gives how many there were, this one included.
    func countMiss(of code: ActionCode) throws(StoreError) -> Int

    /// Voids the live codes of an address in a project, whatever their operation but `recoverEmail`: those belong to an account that has the
    /// address no more, and nobody who takes it up may stop that account's owner from going back.
    func voidActionCodes(email: EmailAddress, project: String) throws(StoreError)

    /// Voids the live codes that are bound to an account and were issued at `time` or later, whatever their address and operation.
    func voidActionCodes(userID: String, project: String, issuedSince time: UnixTime) throws(StoreError)

    /// Accepts a mail; it is sent once the transaction is durable.
    func enqueue(_ entry: OutboxEntry) throws(StoreError)
}
