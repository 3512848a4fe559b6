internal import Crypto
public import Platform
internal import Synchronization

/// Refuses what comes too often: token buckets for addresses, clients and projects, in bounded memory and without their names.
///
/// A bucket is found by a keyed hash, so neither memory nor disk tells whom it counts. The key comes of the first secret: after a rotation
/// every count begins anew.
public final class RateLimiter: Sendable {
    /// Tokens that were taken, to be given back if it turns out that they should not have been.
    public struct Tokens: Sendable {
        fileprivate let claims: [Claim]
    }

    fileprivate struct Claim: Sendable {
        let key: UInt128
        let kind: RateLimitKind
        let rule: GCRA
    }

    /// How many buckets there are at most that are not full: 196,608, which take 16 MB.
    public static let capacity = sets * ways
    private static let sets = 8192
    private static let ways = 24

    private let key: SymmetricKey
    private let clock: WallClock
    private let table: Mutex<BucketTable>
    private let refusals: [RateLimitKind: Metrics.Counter]

    /// Makes a limiter that has counted nothing yet.
    public convenience init(keys: KeyRing, metrics: Metrics, clock: WallClock) {
        self.init(keys: keys, metrics: metrics, clock: clock, table: BucketTable(sets: Self.sets, ways: Self.ways))
    }

    /// The same with a table as small as a test wants it.
    init(keys: KeyRing, metrics: Metrics, clock: WallClock, table: BucketTable) {
        self.key = keys.signing.limits
        self.clock = clock
        self.table = Mutex(table)
        let counters = RateLimitKind.allCases.map { kind in
            let counter = metrics.counter(
                "postern_limit_refusals_total", help: "Requests that came too often, by the limit they met.", labels: [("kind", kind.label)]
            )
            return (kind, counter)
        }
        refusals = Dictionary(counters, uniquingKeysWith: { first, _ in first })
        metrics.gauge("postern_limit_buckets", help: "Token buckets that are not full.") { [weak self] in Double(self?.bucketCount ?? 0) }
    }

    /// How many buckets are not full.
    public var bucketCount: Int {
        let now = Self.nanoseconds(clock.now())
        return table.withLock { $0.count(now: now) }
    }

    /// Takes a token of every bucket, or none of any: a refused request costs nobody anything and leaves no trace.
    public func take(_ demands: [RateLimitDemand]) throws(TooManyAttempts) -> Tokens {
        if demands.isEmpty { return Tokens(claims: []) }
        let claims = demands.map { Claim(key: key(of: $0), kind: $0.kind, rule: GCRA($0.limit)) }
        let now = Self.nanoseconds(clock.now())
        let waits = table.withLock { table in
            let fullAt = claims.map { table.fullAt($0.key) ?? .min }
            let waits = zip(claims, fullAt).map { $0.rule.wait(fullAt: $1, now: now) }
            let isGranted = waits.allSatisfy { $0 == 0 }
            for (claim, fullAt) in zip(claims, fullAt) {
                if isGranted {
                    table.put(claim.key, fullAt: claim.rule.taking(fullAt: fullAt, now: now), rule: claim.rule, now: now)
                } else if case let bounded = claim.rule.bounded(fullAt, now), bounded < fullAt {
                    // The clock was set back: the wait counts from here on, not from a time that it has yet to reach again.
                    table.put(claim.key, fullAt: bounded, rule: claim.rule, now: now)
                }
            }
            return waits
        }
        guard let longest = waits.max(), longest > 0 else { return Tokens(claims: claims) }
        for (claim, wait) in zip(claims, waits) where wait > 0 { refusals[claim.kind]?.add() }
        throw TooManyAttempts(retryAfter: .nanoseconds(longest))
    }

    /// Puts tokens back, once.
    public func giveBack(_ tokens: Tokens) {
        let now = Self.nanoseconds(clock.now())
        table.withLock { table in
            for claim in tokens.claims {
                guard let fullAt = table.fullAt(claim.key) else { continue }
                table.put(claim.key, fullAt: claim.rule.returning(fullAt: fullAt, now: now), rule: claim.rule, now: now)
            }
        }
    }

    private func key(of demand: RateLimitDemand) -> UInt128 {
        // 0 ends the project, which has none in it.
        let tag = HMACSHA256.tag([demand.kind.rawValue], Array(demand.project.utf8), [0], demand.subject.bytes, key: key)
        return tag.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static func nanoseconds(_ time: UnixTime) -> Int64 { time.milliseconds * 1_000_000 }

    // MARK: Storage

    /// Goes on from what was saved; before the first request.
    public func load(_ buckets: [RateLimitBucket]) {
        let now = Self.nanoseconds(clock.now())
        table.withLock { $0.load(buckets, now: now) }
    }

    /// Up to `limit` buckets that have changed since they were given here.
    func takeUnsaved(limit: Int) -> [RateLimitBucket] {
        let now = Self.nanoseconds(clock.now())
        return table.withLock { $0.takeUnsaved(limit: limit, now: now) }
    }

    /// Says that what `takeUnsaved` gave was not saved after all.
    func returnUnsaved(_ buckets: [RateLimitBucket]) {
        table.withLock { $0.returnUnsaved(buckets) }
    }
}
