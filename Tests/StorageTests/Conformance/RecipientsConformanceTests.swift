import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct RecipientsConformanceTests {
    private func suppression(
        _ name: String, _ cause: Suppression.Cause = .refused, project: String = "demo", since: UnixTime = start, until: UnixTime? = nil
    ) -> Suppression {
        Suppression(
            projectID: project, email: .example(name), cause: cause, detail: cause == .muted ? "" : "550 5.1.1 no \(name)", since: since,
            until: until)
    }

    private func suppress(_ store: any Store, _ suppressions: [Suppression]) async throws {
        try await store.write { transaction throws(StoreError) in
            for suppression in suppressions { try transaction.suppress(suppression) }
        }
    }

    private func list(
        _ store: any Store, project: String = "demo", after: String? = nil, limit: Int = 99, now: UnixTime = start
    ) async throws -> [Suppression] {
        try await store.read { reader throws(StoreError) in
            try reader.suppressions(project: project, after: after, limit: limit, now: now)
        }
    }

    private func find(_ store: any Store, _ name: String, project: String = "demo", now: UnixTime = start) async throws -> Suppression? {
        try await store.read { reader throws(StoreError) in try reader.suppression(of: .example(name), project: project, now: now) }
    }

    @Test(arguments: StoreKind.allCases)
    func suppressionsComeBackAsTheyWereByProjectAndAddress(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let all = [suppression("c"), suppression("a", .reported), suppression("b", .muted, until: start + .seconds(60))]
            try await suppress(store, all + [suppression("a", project: "other")])
            #expect(try await list(store) == [all[1], all[2], all[0]])
            #expect(try await list(store, limit: 2) == [all[1], all[2]])
            #expect(try await list(store, after: "a@example.com", limit: 1) == [all[2]])
            #expect(try await list(store, after: "c@example.com").isEmpty)
            #expect(try await find(store, "a") == all[1])
            #expect(try await find(store, "a", project: "other")?.projectID == "other")
            #expect(try await find(store, "d") == nil)
            #expect(try await find(store, "a", project: "third") == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aMuteEndsByItselfAndWhatLastsStays(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let end = start + .seconds(60)
            let mute = suppression("a", .muted, until: end)
            try await suppress(store, [mute])
            #expect(try await find(store, "a", now: end - .milliseconds(1)) == mute)
            #expect(try await find(store, "a", now: end) == nil)
            #expect(try await list(store, now: end).isEmpty)
            // A later one lengthens it, and a bounce takes its place.
            let longer = suppression("a", .muted, until: end + .seconds(5))
            try await suppress(store, [longer])
            #expect(try await find(store, "a") == longer)
            try await suppress(store, [suppression("a")])
            #expect(try await find(store, "a") == suppression("a"))
            try await suppress(store, [mute])
            #expect(try await find(store, "a") == suppression("a"))
            try await suppress(store, [suppression("a", .reported)])
            #expect(try await find(store, "a")?.cause == .reported)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aReleaseSaysWhetherThereWasOne(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await suppress(store, [suppression("a"), suppression("b"), suppression("a", project: "other")])
            func release(_ name: String) async throws -> Bool {
                try await store.write { transaction throws(StoreError) in
                    try transaction.releaseSuppression(of: .example(name), project: "demo")
                }
            }
            #expect(try await release("a"))
            #expect(try await !release("a"))
            #expect(try await list(store).map(\.email) == [.example("b")])
            #expect(try await list(store, project: "other").count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aBouncedMailSuppressesItsRecipientForItsOwnerOnly(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let code = ActionCode.example(1, email: .example("anna"), createdAt: start)
            var change = ActionCode.example(2, email: .example("bob"), operation: .verifyAndChangeEmail, createdAt: start)
            change.newEmail = .example("new")
            try await store.issue(code, mail: true)
            try await store.issue(change, mail: true)
            let ids = try await store.claimOutbox(now: start, limit: 9, owner: "a", leaseEnd: start + .seconds(60)).map(\.id)
            let settlements = ids.map { OutboxSettlement(id: $0, state: .bounced(reply: "550 5.1.1 no")) }
            // Whoever does not hold the lease settles nothing.
            try await store.settleOutbox(settlements, owner: "b", now: start)
            #expect(try await list(store).isEmpty)
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 2, failed: 0))
            try await store.settleOutbox(settlements, owner: "a", now: start)
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 0, failed: 2))
            let found = try await list(store)
            // The mail of a change goes to the new address: the former one has done nothing.
            #expect(found.map(\.email) == [.example("anna"), .example("new")])
            #expect(found.allSatisfy { $0.cause == .refused && $0.detail == "550 5.1.1 no" && $0.until == nil && $0.since == start })
        }
    }

    @Test(arguments: StoreKind.allCases)
    func triesOfDigitsAreCountedByAddressWithinAWindow(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let window = Duration.seconds(60)
            func attempt(_ name: String, _ second: Int, project: String = "demo") async throws -> UnixTime? {
                try await store.write { transaction throws(StoreError) in
                    try transaction.countDigitsTry(
                        email: .example(name), project: project, now: start + .seconds(second), limit: 3, window: window)
                }
            }
            let first = try await attempt("a", 0)
            #expect(first == nil)
            for second in [10, 20] { #expect(try await attempt("a", second) == nil) }
            #expect(try await attempt("a", 21) == start + .seconds(60))
            #expect(try await attempt("b", 21) == nil)
            #expect(try await attempt("a", 21, project: "other") == nil)
            // What was refused does not count, so the first place is free when the first try is a window old.
            #expect(try await attempt("a", 59) == start + .seconds(60))
            #expect(try await attempt("a", 60) == nil)
            #expect(try await attempt("a", 60) == start + .seconds(70))
            #expect(try await attempt("a", 200) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestLiveCodeOfAnAddressIsFound(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            func newest(_ second: Int) async throws -> ActionCodeID? {
                try await store.write { transaction throws(StoreError) in
                    try transaction.newestActionCode(
                        email: .example("anna"), project: "demo", operation: .signIn, now: start + .seconds(second))?.id
                }
            }
            #expect(try await newest(0) == nil)
            try await store.issue(.example(1, createdAt: start))
            try await store.issue(.example(2, createdAt: start + .seconds(1), lifetime: .seconds(10)))
            try await store.issue(.example(3, operation: .verifyEmail, createdAt: start + .seconds(2)))
            try await store.issue(.example(4, email: .example("bob"), createdAt: start + .seconds(3)))
            try await store.issue(.example(5, project: "other", createdAt: start + .seconds(3)))
            #expect(try await newest(4) == .example(2))
            #expect(try await newest(11) == .example(1))
            let first = try #require(try await store.stored(.example(1, createdAt: start)))
            _ = try await store.write { transaction throws(StoreError) in try transaction.settle(first, as: .used) }
            #expect(try await newest(11) == nil)
        }
    }
}
