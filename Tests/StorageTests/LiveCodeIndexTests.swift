import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct LiveCodeIndexTests {
    /// With generations of four codes, so that a few codes fill several.
    private func open(_ folder: String) throws -> SQLiteStore {
        try SQLiteStore.open(path: folder + "/test.sqlite3", role: .serving, logger: .silent, generationCapacity: 4)
    }

    private func generations(_ store: SQLiteStore) async throws -> (used: [Int], stored: [Int]) {
        try await store.writer.write { transaction throws(StoreError) in
            (
                try transaction.connection.rows("SELECT DISTINCT generation FROM action_codes ORDER BY 1") { $0.int(0) },
                try transaction.connection.rows("SELECT generation FROM code_generations ORDER BY 1") { $0.int(0) }
            )
        }
    }

    @Test(arguments: [false, true])
    func anAddressIsFoundInEveryGeneration(_ reopened: Bool) async throws {
        try await withTemporaryFolder { folder in
            var store = try open(folder)
            // Every fourth code is Anna's; the others belong to as many addresses.
            let codes = (0..<20).map { number -> ActionCode in
                let email: EmailAddress = number % 4 == 0 ? .example("anna") : .example("\(number)")
                let operation: Operation = number % 8 == 0 ? .signIn : .verifyEmail
                return .example(UInt64(number), email: email, operation: operation, createdAt: start + .seconds(number))
            }
            for code in codes { try await store.issue(code) }
            #expect(try await generations(store).used == [2, 4, 6, 8, 10])
            #expect(try await generations(store).stored == [2, 4, 6, 8])
            if reopened {
                store.close()
                store = try open(folder)
            }
            // Anna's sign-in codes are 0, 8 and 16.
            try await store.issue(.example(99, createdAt: start + .seconds(30)), keepingAtMost: 2)
            let own = [codes[0], codes[8], codes[16]]
            #expect(try await store.states(own) == [.voided, .voided, .live])
            try await store.write { transaction throws(StoreError) in
                try transaction.voidActionCodes(email: .example("anna"), project: "demo")
            }
            let states = try await store.states(codes)
            for (code, state) in zip(codes, states) {
                #expect(state == (code.email == EmailAddress.example("anna") ? .voided : .live))
            }
            store.close()
        }
    }

    /// Neither process knows what the other has inserted since it opened the database.
    @Test func aToolAndTheServingProcessFindEachOthersCodes() async throws {
        try await withTemporaryFolder { folder in
            let serving = try open(folder)
            defer { serving.close() }
            let tool = try SQLiteStore.open(path: folder + "/test.sqlite3", role: .tool, logger: .silent)
            defer { tool.close() }
            let codes = (0..<8).map { ActionCode.example($0, createdAt: start + .seconds(Int64($0))) }
            for (index, code) in codes.prefix(6).enumerated() {
                try await (index % 2 == 0 ? serving : tool).issue(code, keepingAtMost: 9)
            }
            try await tool.issue(codes[6], keepingAtMost: 5)
            #expect(try await serving.states(codes) == [.voided, .voided, .live, .live, .live, .live, .live, nil])
            try await serving.issue(codes[7], keepingAtMost: 5)
            #expect(try await serving.states(codes) == [.voided, .voided, .voided, .live, .live, .live, .live, .live])
            try await serving.write { transaction throws(StoreError) in
                try transaction.voidActionCodes(email: .example("anna"), project: "demo")
            }
            #expect(try await tool.states(codes).allSatisfy { $0 == .voided })
        }
    }

    @Test func aMissingFilterIsMadeAgain() async throws {
        try await withTemporaryFolder { folder in
            let store = try open(folder)
            let codes = (0..<12).map { ActionCode.example($0, email: .example("\($0)"), createdAt: start) }
            for code in codes { try await store.issue(code) }
            try await store.writer.write { transaction throws(StoreError) in
                try transaction.connection.script("DELETE FROM code_generations")
            }
            store.close()
            let next = try open(folder)
            defer { next.close() }
            #expect(try await generations(next).stored == [2, 4, 6])
            try await next.write { transaction throws(StoreError) in
                for code in codes { try transaction.voidActionCodes(email: code.email, project: "demo") }
            }
            #expect(try await next.states(codes).allSatisfy { $0 == .voided })
        }
    }

    @Test func aRolledBackInsertTakesNothingFromOthers() async throws {
        try await withTemporaryFolder { folder in
            let store = try open(folder)
            defer { store.close() }
            let codes = (0..<9).map { ActionCode.example($0, email: .example("\($0)"), createdAt: start) }
            for code in codes.prefix(4) { try await store.issue(code) }
            // The fifth begins a generation and stores the filter of the first; then it is undone.
            await #expect(throws: StoreError.self) {
                try await store.write { transaction throws(StoreError) in
                    try transaction.insert(codes[4], keepingAtMost: 5)
                    try transaction.insert(codes[0], keepingAtMost: 5)
                }
            }
            for code in codes.dropFirst(4) { try await store.issue(code) }
            try await store.write { transaction throws(StoreError) in
                for code in codes { try transaction.voidActionCodes(email: code.email, project: "demo") }
            }
            #expect(try await store.states(codes).allSatisfy { $0 == .voided })
        }
    }

    @Test func longLivedCodesHaveGenerationsOfTheirOwnAndThePurgeForgetsTheRest() async throws {
        try await withTemporaryFolder { folder in
            let store = try open(folder)
            defer { store.close() }
            for number in UInt64(0)..<10 {
                try await store.issue(.example(number, email: .example("\(number)"), createdAt: start))
                try await store.issue(
                    .example(
                        100 + number, email: .example("\(number)"), operation: .recoverEmail, createdAt: start,
                        lifetime: .seconds(2_592_000)))
            }
            let before = try await generations(store)
            #expect(before.used.map { $0 % 2 } == [0, 1, 0, 1, 0, 1])
            #expect(try await store.purgeActionCodes(expiredBefore: start + .seconds(86_400), limit: 99) == 10)
            let after = try await generations(store)
            #expect(after.used.allSatisfy { $0 % 2 == 1 })
            #expect(after.stored.allSatisfy { $0 % 2 == 1 } && after.stored.count == 2)
            // New codes go on from there.
            let next = ActionCode.example(500, createdAt: start + .seconds(86_400))
            try await store.issue(next)
            try await store.write { transaction throws(StoreError) in
                try transaction.voidActionCodes(email: .example("anna"), project: "demo")
            }
            #expect(try await store.states([next]) == [.voided])
        }
    }
}
