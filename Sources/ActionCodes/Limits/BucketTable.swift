/// Token buckets in a bounded number of places: a set-associative table, whose every operation looks at the places of one set only.
///
/// Full buckets are as good as absent, and their places are free. When all places of a set are taken, the bucket with the fewest tokens
/// missing is given up, never one that is empty: who floods the table with buckets that were used once displaces those. The keys are keyed
/// hashes, so nobody can aim at a set.
struct BucketTable {
    private struct Bucket {
        var key: UInt128 = 0
        var fullAt = Int64.min
        var rule = GCRA(interval: 1, count: 1)
        /// Whether it has changed since it was saved.
        var isUnsaved = false
        /// Whether something is saved for its place that is not full yet.
        var isStored = false

        /// Whether no token is left.
        func isEmpty(now: Int64) -> Bool { rule.wait(fullAt: fullAt, now: now) > 0 }
        /// How many tokens are missing, parts of one included.
        func missing(now: Int64) -> Double { Double(fullAt - now) / Double(rule.interval) }
    }

    /// How many places there are.
    var capacity: Int { sets.count * ways }

    private let ways: Int
    /// Each grows as it is needed, so that an idle server holds none.
    private var sets: [[Bucket]]
    /// The places whose buckets have changed since they were saved, each once.
    private var unsaved: [Int] = []

    /// Makes an empty table. `sets` is a power of two.
    init(sets: Int, ways: Int) {
        precondition(sets > 0 && sets & (sets - 1) == 0 && ways > 0, "the number of sets is a power of two")
        self.ways = ways
        self.sets = Array(repeating: [], count: sets)
    }

    /// When a bucket is full; nil when it is not there, and so full.
    func fullAt(_ key: UInt128) -> Int64? {
        sets[set(of: key)].first { $0.key == key }?.fullAt
    }

    /// Puts a bucket in place of the former one with its key, or where there is room.
    mutating func put(_ key: UInt128, fullAt: Int64, rule: GCRA, now: Int64) {
        let set = set(of: key)
        guard let way = way(for: key, in: set, now: now) else { return }
        if way == sets[set].count { sets[set].append(Bucket()) }
        if !sets[set][way].isUnsaved { unsaved.append(set * ways + way) }
        sets[set][way] = Bucket(key: key, fullAt: fullAt, rule: rule, isUnsaved: true, isStored: sets[set][way].isStored)
    }

    private func set(of key: UInt128) -> Int { Int(truncatingIfNeeded: key) & (sets.count - 1) }

    private func way(for key: UInt128, in set: Int, now: Int64) -> Int? {
        var free: Int?
        var poorest: (way: Int, missing: Double)?
        for way in 0..<sets[set].count {
            let bucket = sets[set][way]
            if bucket.key == key { return way }
            if bucket.fullAt <= now {
                free = free ?? way
            } else if free == nil, !bucket.isEmpty(now: now) {
                let missing = bucket.missing(now: now)
                if poorest.map({ missing < $0.missing }) ?? true { poorest = (way, missing) }
            }
        }
        if let free { return free }
        return sets[set].count < ways ? sets[set].count : poorest?.way
    }

    /// How many buckets are not full.
    func count(now: Int64) -> Int {
        sets.reduce(0) { $0 + $1.count { $0.fullAt > now } }
    }

    // MARK: Storage

    /// Up to `limit` buckets that have changed since they were given here. One that is full again is left out, unless its place would
    /// otherwise keep something that is not.
    mutating func takeUnsaved(limit: Int, now: Int64) -> [RateLimitBucket] {
        var taken: [RateLimitBucket] = []
        while taken.count < limit, let place = unsaved.popLast() {
            let (set, way) = place.quotientAndRemainder(dividingBy: ways)
            sets[set][way].isUnsaved = false
            let bucket = sets[set][way]
            guard bucket.fullAt > now || bucket.isStored else { continue }
            sets[set][way].isStored = bucket.fullAt > now
            taken.append(
                RateLimitBucket(
                    place: place, key: bucket.key, fullAt: bucket.fullAt, interval: bucket.rule.interval, count: bucket.rule.count))
        }
        return taken
    }

    /// Says that what `takeUnsaved` gave was not saved after all.
    mutating func returnUnsaved(_ buckets: [RateLimitBucket]) {
        for bucket in buckets {
            let (set, way) = bucket.place.quotientAndRemainder(dividingBy: ways)
            // Nobody knows what the store holds now.
            sets[set][way].isStored = true
            guard !sets[set][way].isUnsaved else { continue }
            sets[set][way].isUnsaved = true
            unsaved.append(bucket.place)
        }
    }

    /// Takes up saved buckets that are not full yet, each in its place, or elsewhere when the table had another shape then.
    mutating func load(_ saved: [RateLimitBucket], now: Int64) {
        for bucket in saved where bucket.fullAt > now {
            let rule = GCRA(interval: bucket.interval, count: bucket.count)
            let set = set(of: bucket.key)
            let way = bucket.place - set * ways
            guard (0..<ways).contains(way), fullAt(bucket.key) == nil, !isTaken(set, way, now: now) else {
                put(bucket.key, fullAt: max(bucket.fullAt, fullAt(bucket.key) ?? .min), rule: rule, now: now)
                continue
            }
            while sets[set].count <= way { sets[set].append(Bucket()) }
            sets[set][way] = Bucket(
                key: bucket.key, fullAt: bucket.fullAt, rule: rule, isUnsaved: sets[set][way].isUnsaved, isStored: true)
        }
    }

    private func isTaken(_ set: Int, _ way: Int, now: Int64) -> Bool {
        way < sets[set].count && sets[set][way].fullAt > now
    }
}
