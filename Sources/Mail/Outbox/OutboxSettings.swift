/// How the outbox works; the defaults suit one machine and are not for operators to turn.
public struct OutboxSettings: Sendable {
    /// Entries of the first claim. Later claims grow to `largestBatch` while the lanes keep up, and shrink when leases run out. Default 128.
    public var batch = 128
    /// The most entries a claim takes. Default 512.
    public var largestBatch = 512
    /// For how long claimed entries belong to this process. Default 120 s.
    public var lease: Duration = .seconds(120)
    /// A message goes to a lane only while this much of its lease is left: what a slow delivery may take. Default 60 s.
    public var deliveryTime: Duration = .seconds(60)
    /// For how long mails to a domain that is slow go back to the store when there are many. Default 10 s.
    public var congestionPause: Duration = .seconds(10)
    /// Whether leases of other owners end at the start: true for a store that nobody else uses. Default true.
    public var takesOverLeases = true
    /// When a failed mail is tried again.
    public var schedule = RetrySchedule()
    /// For how long settled entries are kept. Default 7 days.
    public var retention: Duration = .seconds(7 * 86_400)
    /// How often old entries are looked for. Default 5 min.
    public var purgeInterval: Duration = .seconds(300)
    /// How often the store is asked even if nobody woke the outbox: `postern send` and `postern outbox retry` are other processes. Default 5 s.
    public var attention: Duration = .seconds(5)
    /// How often the numbers for `/metrics` are read from the store. Default 15 s.
    public var countInterval: Duration = .seconds(15)
    /// For how long the stop waits for a store that fails to take the last settlements. Default 10 s.
    public var stopGrace: Duration = .seconds(10)

    /// The defaults.
    public init() {}
}
