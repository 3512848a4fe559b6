import ActionCodes
import Foundation
import Mail
import Platform
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct DurabilityTests {
    /// Issues codes with their mails until it is killed; notes each one that was accepted in `<path>.accepted`, eight bytes a number.
    private static func issueUntilKilled(_ path: String) async {
        do {
            let store = try SQLiteStore.open(path: path, role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            let accepted = unsafe open(path + ".accepted", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<16 {
                    group.addTask {
                        for number in 0..<UInt64.max {
                            let code = ActionCode.example(
                                UInt64(lane) << 32 | number, email: .example("\(lane).\(number)"), createdAt: start)
                            guard (try? await store.issue(code, mail: true)) != nil else { return }
                            var noted = UInt64(lane) << 32 | number
                            _ = unsafe write(accepted, &noted, 8)
                            // In the middle of a burst, from one of the tasks that take part in it.
                            if lane == 7 && number == 40 { kill(getpid(), SIGKILL) }
                        }
                    }
                }
            }
        } catch {
            return
        }
    }

    @Test func killedInABurstNothingAcceptedIsLostAndNothingIsHalf() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                await Self.issueUntilKilled(path)
            }
            let noted = try Data(contentsOf: URL(fileURLWithPath: path + ".accepted"))
            let numbers = noted.indices.striding(by: 8).map { at in
                noted[at..<at + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            #expect(numbers.count >= 41)
            let store = try SQLiteStore.open(path: path, role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            defer { store.close() }
            let codes = try await store.read { reader throws(StoreError) in try reader.liveActionCodes(project: "demo", now: start) }
            let mails = try await store.listOutbox(limit: .max)
            #expect(Set(codes.map(\.id)).isSuperset(of: numbers.map(ActionCodeID.example)))
            // Each transaction holds a code and its mail.
            #expect(Set(codes.map(\.id.bytes)) == Set(mails.map(\.entry.codeID)))
            #expect(codes.count == mails.count)
        }
    }

    @Test func aFullDiskFailsItsWritesAndTheStoreRecovers() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore.open(
                path: folder + "/test.sqlite3", role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            defer { store.close() }
            let before = ActionCode.example(1, createdAt: start)
            try await store.issue(before, mail: true)
            try await store.writer.write { transaction throws(StoreError) in
                // As many pages as there are: the next one that is needed does not exist.
                try transaction.connection.script("PRAGMA max_page_count = 1")
            }
            let codes = (2..<400).map { ActionCode.example($0, email: .example("\($0)"), createdAt: start) }
            let refused = await withTaskGroup(of: Bool.self) { group in
                for code in codes {
                    group.addTask {
                        do throws(StoreError) {
                            try await store.issue(code, mail: true)
                            return false
                        } catch {
                            return error == .unavailable(cause: "SQLite error 13 (extended 13): database or disk is full")
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused > 0)
            let stored = try await store.states(codes).count { $0 != nil }
            #expect(stored == codes.count - refused)
            #expect(try await store.outboxCounts().waiting == stored + 1)
            try await store.writer.write { transaction throws(StoreError) in
                try transaction.connection.script("PRAGMA max_page_count = 1000000")
            }
            let after = ActionCode.example(1000, createdAt: start)
            try await store.issue(after, mail: true)
            #expect(try await store.states([before, after]) == [.live, .live])
        }
    }

    /// A full disk makes SQLite end the transaction by itself; what came afterwards would then be committed alone.
    @Test func nothingRunsOnAfterSQLiteHasGivenUpTheTransaction() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore.open(
                path: folder + "/test.sqlite3", role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            defer { store.close() }
            try await store.writer.write { transaction throws(StoreError) in
                try transaction.connection.script("PRAGMA max_page_count = 1")
            }
            await #expect(throws: StoreError.self) {
                try await store.write { transaction throws(StoreError) in
                    for number in UInt64(0)..<1000 {
                        let code = ActionCode.example(number, email: .example("\(number)"), createdAt: start)
                        try? transaction.insert(code, keepingAtMost: 5)
                    }
                }
            }
            let left = try await store.read { reader throws(StoreError) in try reader.liveActionCodes(project: "demo", now: start) }
            #expect(left.isEmpty)
        }
    }

    @Test func whatWasHandedInBeforeTheStopIsCommittedAndWhatComesAfterIsRefused() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/test.sqlite3"
            let store = try SQLiteStore.open(path: path, role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            let shutdown = Shutdown()
            let service = Task { await store.run(until: shutdown) }
            let codes = (1...100).map { ActionCode.example($0, email: .example("\($0)"), createdAt: start) }
            let accepted = await withTaskGroup(of: ActionCode?.self) { group in
                for (index, code) in codes.enumerated() {
                    group.addTask {
                        if index == 50 { shutdown.trigger() }
                        do throws(StoreError) {
                            try await store.issue(code)
                            return code
                        } catch {
                            #expect(error == .stopped)
                            return nil
                        }
                    }
                }
                return await group.reduce(into: [ActionCode]()) { if let code = $1 { $0.append(code) } }
            }
            await service.value
            await #expect(throws: StoreError.stopped) { try await store.issue(codes[0]) }
            await #expect(throws: StoreError.stopped) { try await store.outboxCounts() }
            store.close()
            let next = try SQLiteStore.open(path: path, role: .serving, clock: ManualClock(start).wallClock, logger: .silent)
            defer { next.close() }
            #expect(try await next.states(accepted).allSatisfy { $0 == .live })
            #expect(try await next.states(codes).count { $0 != nil } == accepted.count)
        }
    }

    @Test func housekeepingPurgesAfterADayOfGrace() async throws {
        try await withTemporaryFolder { folder in
            let clock = ManualClock(start)
            let store = try SQLiteStore.open(path: folder + "/test.sqlite3", role: .serving, clock: clock.wallClock, logger: .silent)
            defer { store.close() }
            let codes = (1...600).map { ActionCode.example($0, email: .example("\($0)"), createdAt: start) }
            let young = ActionCode.example(999, createdAt: start, lifetime: .seconds(3601))
            try await store.write { transaction throws(StoreError) in
                for code in codes + [young] { try transaction.insert(code, keepingAtMost: 5) }
            }
            clock.set(young.expiresAt + .seconds(86_400) - .seconds(1))
            try await store.purgeExpired()
            #expect(try await store.states(codes).count { $0 != nil } == 600)
            clock.advance(by: .seconds(1))
            try await store.purgeExpired()
            #expect(try await store.states(codes).count { $0 != nil } == 0)
            #expect(try await store.states([young]) == [.live])
            try await store.optimize()
        }
    }
}

extension Range<Int> {
    fileprivate func striding(by step: Int) -> StrideTo<Int> { stride(from: lowerBound, to: upperBound, by: step) }
}
