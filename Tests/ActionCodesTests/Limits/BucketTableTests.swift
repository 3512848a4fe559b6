import TestSupport
import Testing

@testable import ActionCodes

@Suite struct BucketTableTests {
    private let now: Int64 = 1_000_000
    /// Five tokens, one every 1000 ns.
    private let rule = GCRA(interval: 1000, count: 5)

    private func keys(_ count: Int, seed: UInt64 = 1) -> [UInt128] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt128.random(in: 1...(.max), using: &generator) }
    }

    @Test func aBucketIsFoundAgainAndReplaced() {
        var table = BucketTable(sets: 4, ways: 2)
        let keys = keys(3)
        for (index, key) in keys.enumerated() {
            #expect(table.fullAt(key) == nil)
            table.put(key, fullAt: now + 1000 + Int64(index), rule: rule, now: now)
        }
        table.put(keys[1], fullAt: now + 2000, rule: rule, now: now)
        #expect(keys.map { table.fullAt($0) } == [now + 1000, now + 2000, now + 1002])
        #expect(table.count(now: now) == 3 && table.count(now: now + 1000) == 2)
    }

    @Test func theFewestMissingTokensGoFirst() {
        var table = BucketTable(sets: 1, ways: 3)
        // Two are missing; one is, of a bucket of another kind; almost one is.
        table.put(1, fullAt: now + 2000, rule: rule, now: now)
        table.put(2, fullAt: now + 500_000, rule: GCRA(interval: 500_000, count: 9), now: now)
        table.put(3, fullAt: now + 900, rule: rule, now: now)
        table.put(4, fullAt: now + 1000, rule: rule, now: now)
        #expect([1, 2, 3, 4].map { table.fullAt($0) != nil } == [true, true, false, true])
        table.put(5, fullAt: now + 3000, rule: rule, now: now)
        #expect([1, 2, 4, 5].filter { table.fullAt($0) != nil }.count == 3)
        #expect(table.fullAt(1) != nil && table.fullAt(5) != nil)
    }

    @Test func fullBucketsMakeRoomAndEmptyOnesDoNot() {
        var table = BucketTable(sets: 1, ways: 2)
        table.put(1, fullAt: now + 5000, rule: rule, now: now)
        table.put(2, fullAt: now + 4500, rule: rule, now: now)
        // Both are empty: the newcomer is not kept.
        table.put(3, fullAt: now + 5000, rule: rule, now: now)
        #expect([1, 2, 3].map { table.fullAt($0) != nil } == [true, true, false])
        // A bucket of one token is empty with one missing.
        var single = BucketTable(sets: 1, ways: 1)
        single.put(1, fullAt: now + 10, rule: GCRA(interval: 10, count: 1), now: now)
        single.put(2, fullAt: now + 2000, rule: rule, now: now)
        #expect(single.fullAt(1) != nil && single.fullAt(2) == nil)
        single.put(2, fullAt: now + 2000, rule: rule, now: now + 10)
        #expect(single.fullAt(1) == nil && single.fullAt(2) != nil)
    }

    /// A million buckets that were used once, against the real table with a few thousand empty ones in it.
    @Test(.timeLimit(.minutes(1))) func aFloodOfAMillionStaysWithinBoundsAndDisplacesNoEmptyBucket() {
        var table = BucketTable(sets: 8192, ways: 24)
        var generator = SeededGenerator(seed: 5)
        let empty = keys(5000, seed: 4)
        for key in empty { table.put(key, fullAt: now + 5000, rule: rule, now: now) }
        for _ in 0..<1_000_000 {
            table.put(UInt128.random(in: 1...(.max), using: &generator), fullAt: now + 1000, rule: rule, now: now)
        }
        #expect(table.capacity == RateLimiter.capacity)
        #expect((table.capacity * 99 / 100...table.capacity).contains(table.count(now: now)))
        #expect(empty.allSatisfy { table.fullAt($0) == now + 5000 })
        // What waits to be saved is bounded, too.
        var saved = 0
        while case let buckets = table.takeUnsaved(limit: 10_000, now: now), !buckets.isEmpty { saved += buckets.count }
        #expect(saved == table.count(now: now))
    }

    @Test func onlyChangesAreSavedAndOnlyOnce() {
        var table = BucketTable(sets: 8, ways: 4)
        let keys = keys(10)
        for key in keys { table.put(key, fullAt: now + 1000, rule: rule, now: now) }
        table.put(keys[0], fullAt: now + 2000, rule: rule, now: now)
        let first = table.takeUnsaved(limit: 4, now: now)
        let rest = table.takeUnsaved(limit: 100, now: now)
        #expect(first.count == 4 && rest.count == 6)
        #expect(Set((first + rest).map(\.key)) == Set(keys) && Set((first + rest).map(\.place)).count == 10)
        #expect((first + rest).first { $0.key == keys[0] }?.fullAt == now + 2000)
        #expect(table.takeUnsaved(limit: 100, now: now).isEmpty)
        table.put(keys[5], fullAt: now + 3000, rule: rule, now: now)
        #expect(table.takeUnsaved(limit: 100, now: now).map(\.key) == [keys[5]])
        // What was not saved after all comes again, changed or not.
        table.put(keys[6], fullAt: now + 3000, rule: rule, now: now)
        table.returnUnsaved(first + rest)
        #expect(Set(table.takeUnsaved(limit: 100, now: now).map(\.key)) == Set(keys))
        #expect(table.takeUnsaved(limit: 100, now: now).isEmpty)
    }

    @Test func whatIsFullNeedsNoSavingButReplacesWhatWasSaved() {
        var table = BucketTable(sets: 8, ways: 4)
        table.put(1, fullAt: now + 1000, rule: rule, now: now)
        table.put(2, fullAt: now + 1000, rule: rule, now: now)
        #expect(table.takeUnsaved(limit: 100, now: now + 1000).isEmpty)
        table.put(1, fullAt: now + 5000, rule: rule, now: now)
        #expect(table.takeUnsaved(limit: 100, now: now).count == 1)
        // A token that was given back: the store must not go on from the empty bucket.
        table.put(1, fullAt: now, rule: rule, now: now)
        #expect(table.takeUnsaved(limit: 100, now: now).map(\.fullAt) == [now])
        table.put(1, fullAt: now, rule: rule, now: now)
        #expect(table.takeUnsaved(limit: 100, now: now).isEmpty)
    }

    /// Whatever happens in between, what is saved and loaded is what was there.
    @Test(arguments: [(16, 4), (8, 8), (16, 2)]) func anotherTableGoesOnFromWhatWasSaved(_ sets: Int, _ ways: Int) {
        var table = BucketTable(sets: 16, ways: 4)
        var generator = SeededGenerator(seed: 3)
        var saved: [Int: RateLimitBucket] = [:]
        let keys = keys(60)
        var time = now
        for _ in 0..<2000 {
            guard let key = keys.randomElement(using: &generator) else { return }
            time += 20
            let fullAt = table.fullAt(key) ?? .min
            if rule.wait(fullAt: fullAt, now: time) == 0 {
                table.put(key, fullAt: rule.taking(fullAt: fullAt, now: time), rule: rule, now: time)
            }
            if Int.random(in: 0..<20, using: &generator) == 0 {
                for bucket in table.takeUnsaved(limit: 5, now: time) { saved[bucket.place] = bucket }
            }
        }
        for bucket in table.takeUnsaved(limit: 1000, now: time) { saved[bucket.place] = bucket }
        var other = BucketTable(sets: sets, ways: ways)
        other.load(Array(saved.values), now: time)
        let expected = keys.filter { (table.fullAt($0) ?? 0) > time }
        #expect(expected.count > 20)
        if sets * ways == table.capacity, ways == 4 {
            #expect(expected.allSatisfy { other.fullAt($0) == table.fullAt($0) })
            // They lie where they lay, so nothing is to be saved.
            #expect(other.takeUnsaved(limit: 1000, now: time).isEmpty)
        } else {
            // Another shape: they are kept as far as there is room, and saved at their new places.
            let kept = expected.filter { other.fullAt($0) == table.fullAt($0) }
            #expect(kept.count == other.count(now: time) && kept.count >= min(expected.count, sets * ways) / 2)
        }
    }
}
