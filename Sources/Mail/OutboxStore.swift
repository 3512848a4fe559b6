public import Platform

/// Where accepted mails wait. Entries get in through the transaction that also writes their code (see `ActionCodes`), never from here.
public protocol OutboxStore: Sendable {
    /// Takes up to `limit` due entries, oldest first: waiting ones whose time has come, and those whose lease has run out.
    ///
    /// Each is leased to `owner` until `leaseEnd`, and its number of attempts is one higher in the store and in the answer.
    func claimOutbox(now: UnixTime, limit: Int, owner: String, leaseEnd: UnixTime) async throws(StoreError) -> [OutboxEntry]

    /// Notes that an entry was sent, so that neither this process nor, whatever ends this one, the next sends it again. Never waits; false
    /// when the store cannot do so at once, and `settleOutbox` has to. The entry may stay visible for a moment.
    func noteSent(_ entry: OutboxEntry) -> Bool

    /// Writes down what became of entries; what was sent or put off outlives the process when it returns, and what was given up outlives the
    /// machine. An entry that is not leased to `owner` any more is left alone.
    func settleOutbox(_ settlements: [OutboxSettlement], owner: String, now: UnixTime) async throws(StoreError)

    /// When the next entry becomes due (a waiting one's time or a lease's end), or nil when nothing waits.
    func nextOutboxDueTime() async throws(StoreError) -> UnixTime?

    /// Ends all leases of other owners: for a store with one user, called at start after a crash. Gives how many there were.
    func takeOverOutboxLeases(owner: String) async throws(StoreError) -> Int

    /// How many entries are in each state.
    func outboxCounts() async throws(StoreError) -> OutboxCounts

    /// The newest `limit` entries that are not sent, with their last reason.
    func listOutbox(limit: Int) async throws(StoreError) -> [OutboxListing]

    /// Makes waiting and failed entries due at once; gives how many.
    func retryOutbox(ids: [Int64]?, now: UnixTime) async throws(StoreError) -> Int

    /// Deletes settled entries (sent, failed, dropped) that were settled before `time`, at most `limit`; gives how many.
    func purgeOutbox(settledBefore time: UnixTime, limit: Int) async throws(StoreError) -> Int
}

extension OutboxStore {
    /// For stores without a way to do so.
    public func noteSent(_ entry: OutboxEntry) -> Bool { false }
}
