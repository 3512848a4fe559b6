public import Accounts
public import Mail
public import Platform

/// What can be read within one consistent view.
public protocol StoreReader: AccountReader {
    /// The code with this id. `expiresAt` is part of every code and comes first in the key, so that codes that expire together lie together.
    func actionCode(_ id: ActionCodeID, expiresAt: UnixTime) throws(StoreError) -> ActionCode?

    /// The live, unexpired codes of a project, oldest first; for the emulator's list in `dev`.
    func liveActionCodes(project: String, now: UnixTime) throws(StoreError) -> [ActionCode]

    /// What keeps mail from an address at `now`; nil when nothing does.
    func suppression(of email: EmailAddress, project: String, now: UnixTime) throws(StoreError) -> Suppression?

    /// The addresses of a project that get no mail at `now`, by the bytes of their texts, from behind `address` on; at most `limit`.
    func suppressions(project: String, after address: String?, limit: Int, now: UnixTime) throws(StoreError) -> [Suppression]
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

    /// The newest live code of an address for `operation`, expired ones left aside; by the time of issue, then of expiry, then by id.
    func newestActionCode(
        email: EmailAddress, project: String, operation: Operation, now: UnixTime
    ) throws(StoreError) -> ActionCode?

    /// Counts a try of six digits for an address, whether anybody has it or not. Gives nil when there were fewer than `limit` within the `window`
    /// that ends at `now`; else counts nothing, and gives when the oldest of them leaves the window.
    func countDigitsTry(
        email: EmailAddress, project: String, now: UnixTime, limit: Int, window: Duration
    ) throws(StoreError) -> UnixTime?

    /// Keeps mail from an address. What lasts takes the place of what ends by itself, and never the other way round; otherwise the newest counts.
    func suppress(_ suppression: Suppression) throws(StoreError)

    /// Lets an address have mail again; gives whether it had none.
    func releaseSuppression(of email: EmailAddress, project: String) throws(StoreError) -> Bool

    /// Accepts a mail; it is sent once the transaction is durable.
    func enqueue(_ entry: OutboxEntry) throws(StoreError)
}
