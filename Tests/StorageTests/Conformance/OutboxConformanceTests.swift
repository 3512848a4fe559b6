import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct OutboxConformanceTests {
    /// Accepts `count` mails, a second after each other; gives their entries as they were accepted.
    private func fill(_ store: any Store, _ count: Int) async throws -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        for index in 0..<count {
            let code = ActionCode.example(UInt64(index + 1), email: .example("\(index)"), createdAt: start + .seconds(index))
            try await store.issue(code, mail: true)
            entries.append(.example(for: code))
        }
        return entries
    }

    private let later = start + .seconds(100)
    private let leaseEnd = start + .seconds(160)

    @Test(arguments: StoreKind.allCases)
    func dueEntriesAreClaimedOldestFirst(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let accepted = try await fill(store, 4)
            #expect(try await store.nextOutboxDueTime() == start)
            let first = try await store.claimOutbox(now: start + .seconds(2), limit: 2, owner: "a", leaseEnd: leaseEnd)
            let second = try await store.claimOutbox(now: start + .seconds(2), limit: 2, owner: "b", leaseEnd: leaseEnd)
            let claimed = first + second
            #expect(claimed.count == 3)
            #expect(claimed.map(\.id) == claimed.map(\.id).sorted())
            for (entry, original) in zip(claimed, accepted) {
                var expected = original
                expected.id = entry.id
                expected.attempts = 1
                #expect(entry == expected)
                #expect(entry.id > 0)
            }
            #expect(try await store.nextOutboxDueTime() == start + .seconds(3))
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 4, failed: 0))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func nobodyGetsALeasedEntryUntilItsLeaseHasRunOut(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 1)
            let claimed = try await store.claimOutbox(now: later, limit: 9, owner: "a", leaseEnd: leaseEnd)
            #expect(claimed.count == 1)
            #expect(try await store.claimOutbox(now: leaseEnd - .milliseconds(1), limit: 9, owner: "b", leaseEnd: leaseEnd).isEmpty)
            #expect(try await store.nextOutboxDueTime() == leaseEnd)
            let again = try await store.claimOutbox(now: leaseEnd, limit: 9, owner: "b", leaseEnd: leaseEnd + .seconds(60))
            #expect(again.map(\.id) == claimed.map(\.id))
            #expect(again.first?.attempts == 2)
            // The first owner comes too late.
            try await store.settleOutbox([OutboxSettlement(id: claimed[0].id, state: .sent(reply: "250 ok"))], owner: "a", now: leaseEnd)
            #expect(try await store.outboxCounts().waiting == 1)
            try await store.settleOutbox([OutboxSettlement(id: claimed[0].id, state: .sent(reply: "250 ok"))], owner: "b", now: leaseEnd)
            #expect(try await store.outboxCounts().waiting == 0)
            #expect(try await store.nextOutboxDueTime() == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func eachSettlementDoesWhatItSays(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 5)
            let ids = try await store.claimOutbox(now: later, limit: 9, owner: "a", leaseEnd: leaseEnd).map(\.id)
            let retryAt = later + .seconds(300)
            try await store.settleOutbox(
                [
                    OutboxSettlement(id: ids[0], state: .sent(reply: "250 ok")),
                    OutboxSettlement(id: ids[1], state: .retry(at: retryAt, reason: "451 later")),
                    OutboxSettlement(id: ids[2], state: .failed(reason: "550 no")),
                    OutboxSettlement(id: ids[3], state: .dropped(reason: "expired")),
                    OutboxSettlement(id: ids[4], state: .released),
                ], owner: "a", now: later)
            let listed = try await store.listOutbox(limit: 9)
            #expect(listed.map(\.entry.id) == [ids[4], ids[3], ids[2], ids[1]])
            #expect(listed.map(\.state) == [.waiting, .dropped, .failed, .waiting])
            #expect(listed.map(\.dueAt) == [later, nil, nil, retryAt])
            #expect(listed.map(\.reason) == [nil, "expired", "550 no", "451 later"])
            #expect(listed.map(\.entry.attempts) == [0, 1, 1, 1])
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 2, failed: 1))
            #expect(try await store.listOutbox(limit: 1).map(\.entry.id) == [ids[4]])
            let due = try await store.claimOutbox(now: retryAt - .milliseconds(1), limit: 9, owner: "a", leaseEnd: retryAt)
            #expect(due.map(\.id) == [ids[4]])
            #expect(due.first?.attempts == 1)
            #expect(try await store.listOutbox(limit: 1).first?.state == .leased)
            #expect(try await store.claimOutbox(now: retryAt, limit: 9, owner: "b", leaseEnd: leaseEnd).count == 2)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anUnleasedEntryCannotBeSettled(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 1)
            let id = try #require(try await store.listOutbox(limit: 1).first).entry.id
            try await store.settleOutbox(
                [.init(id: id, state: .sent(reply: "250")), .init(id: id, state: .failed(reason: "550"))], owner: "a", now: later)
            #expect(try await store.listOutbox(limit: 9).map(\.state) == [.waiting])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func takingOverEndsTheLeasesOfOthers(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 3)
            _ = try await store.claimOutbox(now: later, limit: 2, owner: "dead", leaseEnd: leaseEnd)
            let own = try await store.claimOutbox(now: later, limit: 1, owner: "me", leaseEnd: leaseEnd)
            #expect(try await store.takeOverOutboxLeases(owner: "me") == 2)
            #expect(try await store.takeOverOutboxLeases(owner: "me") == 0)
            let claimed = try await store.claimOutbox(now: later, limit: 9, owner: "me", leaseEnd: leaseEnd)
            #expect(claimed.count == 2)
            #expect(claimed.map(\.attempts) == [2, 2])
            #expect(!claimed.map(\.id).contains(own[0].id))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func retryingMakesWaitingAndFailedEntriesDue(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 4)
            let ids = try await store.claimOutbox(now: later, limit: 9, owner: "a", leaseEnd: leaseEnd).map(\.id)
            try await store.settleOutbox(
                [
                    .init(id: ids[0], state: .retry(at: later + .seconds(900), reason: "451")),
                    .init(id: ids[1], state: .failed(reason: "550")), .init(id: ids[2], state: .dropped(reason: "used")),
                ], owner: "a", now: later)
            #expect(try await store.retryOutbox(ids: [ids[1], ids[2], ids[3], 999], now: later) == 1)
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 3, failed: 0))
            #expect(try await store.retryOutbox(ids: nil, now: later) == 2)
            #expect(try await store.claimOutbox(now: later, limit: 9, owner: "b", leaseEnd: leaseEnd).map(\.id) == [ids[0], ids[1]])
            #expect(try await store.retryOutbox(ids: [], now: later) == 0)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func thePurgeTakesSettledEntriesOnly(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 4)
            let ids = try await store.claimOutbox(now: later, limit: 3, owner: "a", leaseEnd: leaseEnd).map(\.id)
            try await store.settleOutbox([.init(id: ids[0], state: .failed(reason: "550"))], owner: "a", now: later)
            try await store.settleOutbox([.init(id: ids[1], state: .dropped(reason: "used"))], owner: "a", now: later + .seconds(1))
            #expect(try await store.purgeOutbox(settledBefore: later, limit: 9) == 0)
            #expect(try await store.purgeOutbox(settledBefore: later + .seconds(2), limit: 1) == 1)
            #expect(try await store.listOutbox(limit: 9).map(\.state) == [.waiting, .leased, .dropped])
            #expect(try await store.purgeOutbox(settledBefore: later + .seconds(2), limit: 9) == 1)
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 2, failed: 0))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func numbersDoNotComeBack(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            _ = try await fill(store, 1)
            let first = try await store.claimOutbox(now: later, limit: 9, owner: "a", leaseEnd: leaseEnd)
            try await store.settleOutbox([.init(id: first[0].id, state: .sent(reply: "250"))], owner: "a", now: later)
            try await store.issue(.example(50, createdAt: start), mail: true)
            let second = try await store.claimOutbox(now: later, limit: 9, owner: "a", leaseEnd: leaseEnd)
            #expect(second[0].id > first[0].id)
        }
    }
}
