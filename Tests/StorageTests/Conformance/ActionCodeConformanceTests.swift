import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct ActionCodeConformanceTests {
    @Test(arguments: StoreKind.allCases)
    func everyPropertyComesBack(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            var settings = ActionCodeSettings()
            settings.continueURL = ContinueURL("https://app.example.com/finish?cart=1234")
            settings.canHandleCodeInApp = true
            settings.iOSBundleID = "com.example.app"
            settings.iOSAppStoreID = "123456789"
            settings.androidPackageName = "com.example.android"
            settings.androidInstallApp = true
            settings.androidMinimumVersion = "12"
            settings.linkDomain = "links.example.com"
            var full = ActionCode.example(1, operation: .verifyAndChangeEmail, createdAt: start + .milliseconds(7), settings: settings)
            full.newEmail = .example("bäcker")
            full.userID = "uid"
            full.language = "de-CH"
            let plain = ActionCode.example(2, createdAt: start)
            try await store.issue(full)
            try await store.issue(plain)
            #expect(try await store.stored(full) == full)
            #expect(try await store.stored(plain) == plain)
            #expect(try await store.stored(.example(3, createdAt: start)) == nil)
            // The expiry is part of the name.
            #expect(try await store.stored(.example(2, createdAt: start + .seconds(1))) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theOldestBeyondTheLimitAreVoided(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            // The numbers run against time, so that an order by id would show.
            let codes = (0..<7).map { ActionCode.example(UInt64(100 - $0), createdAt: start + .seconds($0)) }
            for code in codes.prefix(5) { try await store.issue(code) }
            #expect(try await store.states(codes) == [.live, .live, .live, .live, .live, nil, nil])
            try await store.issue(codes[5])
            #expect(try await store.states(codes) == [.voided, .live, .live, .live, .live, .live, nil])
            try await store.issue(codes[6], keepingAtMost: 2)
            #expect(try await store.states(codes) == [.voided, .voided, .voided, .voided, .voided, .live, .live])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theLimitCountsOneProjectAddressAndOperation(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let first = ActionCode.example(1, createdAt: start)
            let others: [ActionCode] = [
                .example(2, project: "other", createdAt: start), .example(3, email: .example("berta"), createdAt: start),
                .example(4, operation: .resetPassword, createdAt: start),
            ]
            for code in [first] + others { try await store.issue(code, keepingAtMost: 1) }
            #expect(try await store.states([first] + others) == [.live, .live, .live, .live])
            try await store.issue(.example(5, createdAt: start + .seconds(1)), keepingAtMost: 1)
            #expect(try await store.states([first] + others) == [.voided, .live, .live, .live])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func usedAndExpiredCodesDoNotCount(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let used = ActionCode.example(1, createdAt: start)
            let expired = ActionCode.example(2, createdAt: start + .seconds(1), lifetime: .seconds(5))
            let alive = ActionCode.example(3, createdAt: start)
            for code in [used, expired, alive] { try await store.issue(code) }
            #expect(try await store.write { transaction throws(StoreError) in try transaction.settle(used, as: .used) })
            try await store.issue(.example(4, createdAt: start + .seconds(60)), keepingAtMost: 2)
            #expect(try await store.states([used, expired, alive]) == [.used, .live, .live])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func onlyALiveCodeIsSettled(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let code = ActionCode.example(1, createdAt: start)
            let settle: @Sendable (ActionCode.State) async throws -> Bool = { state in
                try await store.write { transaction throws(StoreError) in try transaction.settle(code, as: state) }
            }
            #expect(try await settle(.used) == false)
            try await store.issue(code)
            #expect(try await settle(.used))
            #expect(try await settle(.used) == false)
            #expect(try await settle(.voided) == false)
            #expect(try await store.states([code]) == [.used])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func exactlyOneOfManyWins(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let code = ActionCode.example(1, createdAt: start)
            try await store.issue(code)
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await store.write { transaction throws(StoreError) in try transaction.settle(code, as: .used) } }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func missesAreCounted(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let code = ActionCode.example(1, createdAt: start)
            let miss: @Sendable () async throws -> Int = {
                try await store.write { transaction throws(StoreError) in try transaction.countMiss(of: code) }
            }
            #expect(try await miss() == 0)
            try await store.issue(code)
            #expect(try await miss() == 1)
            #expect(try await miss() == 2)
            #expect(try await store.stored(code)?.misses == 2)
            #expect(try await store.stored(code)?.state == .live)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func voidingTakesAllOperationsOfOneAddress(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let own: [ActionCode] = [.example(1, createdAt: start), .example(2, operation: .verifyEmail, createdAt: start)]
            let others: [ActionCode] = [
                .example(3, project: "other", createdAt: start), .example(4, email: .example("berta"), createdAt: start),
            ]
            let used = ActionCode.example(5, createdAt: start)
            for code in own + others + [used] { try await store.issue(code) }
            try await store.write { transaction throws(StoreError) in
                _ = try transaction.settle(used, as: .used)
                try transaction.voidActionCodes(email: .example("anna"), project: "demo")
            }
            #expect(try await store.states(own + others + [used]) == [.voided, .voided, .live, .live, .used])
        }
    }

    /// A way back belongs to an account that has the address no more.
    @Test(arguments: StoreKind.allCases)
    func voidingAnAddressLeavesTheWaysBack(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let back = ActionCode.example(1, operation: .recoverEmail, createdAt: start)
            let other = ActionCode.example(2, operation: .verifyAndChangeEmail, createdAt: start)
            for code in [back, other] { try await store.issue(code) }
            try await store.write { transaction throws(StoreError) in
                try transaction.voidActionCodes(email: .example("anna"), project: "demo")
            }
            #expect(try await store.states([back, other]) == [.live, .voided])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func voidingTakesWhatIsBoundToAnAccountSinceThen(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            func code(_ number: UInt64, _ userID: String?, at time: UnixTime, project: String = "demo") -> ActionCode {
                var code = ActionCode.example(
                    number, email: .example("\(number)"), project: project, operation: .recoverEmail, createdAt: time)
                code.userID = userID
                return code
            }
            let codes = [
                code(1, "anna", at: start), code(2, "anna", at: start + .seconds(1)), code(3, "anna", at: start - .milliseconds(1)),
                code(4, "berta", at: start), code(5, nil, at: start), code(6, "anna", at: start, project: "other"),
            ]
            let used = code(7, "anna", at: start)
            for code in codes + [used] { try await store.issue(code) }
            try await store.write { transaction throws(StoreError) in
                _ = try transaction.settle(used, as: .used)
                try transaction.voidActionCodes(userID: "anna", project: "demo", issuedSince: start)
            }
            #expect(try await store.states(codes + [used]) == [.voided, .voided, .live, .live, .live, .live, .used])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func liveCodesAreListedOldestFirst(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let later = ActionCode.example(1, email: .example("c"), createdAt: start + .seconds(9), lifetime: .seconds(60))
            let earlier = ActionCode.example(2, email: .example("a"), createdAt: start)
            let expired = ActionCode.example(3, email: .example("b"), createdAt: start, lifetime: .seconds(10))
            let voided = ActionCode.example(4, email: .example("d"), createdAt: start)
            let foreign = ActionCode.example(5, project: "other", createdAt: start)
            for code in [later, earlier, expired, voided, foreign] { try await store.issue(code) }
            try await store.write { transaction throws(StoreError) in _ = try transaction.settle(voided, as: .voided) }
            let listed = try await store.read { reader throws(StoreError) in
                try reader.liveActionCodes(project: "demo", now: start + .seconds(10))
            }
            #expect(listed == [earlier, later])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func thePurgeTakesWhatExpiredAndNoMoreThanItsLimit(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let codes = (0..<6).map { ActionCode.example(UInt64($0 + 1), email: .example("\($0)"), createdAt: start + .seconds($0)) }
            for code in codes { try await store.issue(code) }
            let time = codes[4].expiresAt
            #expect(try await store.purgeActionCodes(expiredBefore: time, limit: 3) == 3)
            #expect(try await store.states(codes) == [nil, nil, nil, .live, .live, .live])
            #expect(try await store.purgeActionCodes(expiredBefore: time, limit: 3) == 1)
            #expect(try await store.purgeActionCodes(expiredBefore: time, limit: 3) == 0)
            // A millisecond makes "at" into "before".
            #expect(try await store.purgeActionCodes(expiredBefore: time + .milliseconds(1), limit: 3) == 1)
            #expect(try await store.states(codes) == [nil, nil, nil, nil, nil, .live])
        }
    }
}
