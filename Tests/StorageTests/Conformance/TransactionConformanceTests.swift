import Accounts
import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

private let poison = StoreError.unavailable(cause: "poison")

private func fail() throws(StoreError) { throw poison }

@Suite struct TransactionConformanceTests {
    @Test(arguments: StoreKind.allCases)
    func aThrowUndoesEverything(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let code = ActionCode.example(1, createdAt: start)
            await #expect(throws: poison) {
                try await store.write { transaction throws(StoreError) in
                    try transaction.insert(code, keepingAtMost: 5)
                    try transaction.enqueue(.example(for: code))
                    try transaction.insert(User.example("anna", createdAt: start))
                    try fail()
                }
            }
            #expect(try await store.stored(code) == nil)
            #expect(try await store.outboxCounts() == OutboxCounts(waiting: 0, failed: 0))
            #expect(try await store.readAccounts { reader throws(StoreError) in try reader.user(id: "anna", project: "demo") } == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func bodiesSeeTheirOwnWrites(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let code = ActionCode.example(1, createdAt: start)
            let (found, user) = try await store.write { transaction throws(StoreError) in
                try transaction.insert(code, keepingAtMost: 5)
                try transaction.insert(User.example("anna", createdAt: start))
                return (
                    try transaction.actionCode(code.id, expiresAt: code.expiresAt),
                    try transaction.user(email: .example("anna"), project: "demo")
                )
            }
            #expect(found == code)
            #expect(user?.id == "anna")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPoisonedJobHarmsNoNeighbour(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let codes = (1...200).map { ActionCode.example(UInt64($0), email: .example("\($0)"), createdAt: start) }
            let failures = await withTaskGroup(of: Bool.self) { group in
                for (index, code) in codes.enumerated() {
                    group.addTask {
                        do throws(StoreError) {
                            try await store.write { transaction throws(StoreError) in
                                try transaction.insert(code, keepingAtMost: 5)
                                try transaction.enqueue(.example(for: code))
                                if index % 10 == 3 { try fail() }
                            }
                            return index % 10 == 3
                        } catch {
                            return error != poison || index % 10 != 3
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == 0)
            let expected: [ActionCode.State?] = codes.indices.map { $0 % 10 == 3 ? nil : .live }
            #expect(try await store.states(codes) == expected)
            #expect(try await store.outboxCounts().waiting == 180)
        }
    }

    /// A transaction is a whole: after an error of the store nothing of it may stay, even when the body has swallowed the error.
    @Test func aSwallowedErrorUndoesTheTransactionInSQLite() async throws {
        try await StoreKind.sqlite.withStore { store async throws in
            let code = ActionCode.example(1, createdAt: start)
            let other = ActionCode.example(2, createdAt: start)
            try await store.issue(code)
            await #expect(throws: StoreError.self) {
                try await store.write { transaction throws(StoreError) in
                    try transaction.insert(other, keepingAtMost: 5)
                    // Taken already.
                    try? transaction.insert(code, keepingAtMost: 5)
                }
            }
            #expect(try await store.stored(other) == nil)
            #expect(try await store.stored(code) == code)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aReadSeesOneStateThroughout(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            // Each write adds a code and an account with the same number; no read may see one without the other.
            let writing = Task {
                for number in 0..<200 {
                    try await store.write { transaction throws(StoreError) in
                        try transaction.insert(
                            ActionCode.example(UInt64(number), email: .example("\(number)"), createdAt: start), keepingAtMost: 5)
                        try transaction.insert(User.example("\(number)", createdAt: start))
                    }
                }
            }
            var seen = 0
            while seen < 200 {
                let (codes, users) = try await store.read { reader throws(StoreError) in
                    (
                        try reader.liveActionCodes(project: "demo", now: start).count,
                        try reader.users(after: nil, limit: 1000, project: "demo").count
                    )
                }
                #expect(codes == users)
                #expect(codes >= seen)
                seen = codes
            }
            try await writing.value
        }
    }
}
