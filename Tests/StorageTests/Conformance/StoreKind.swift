import ActionCodes
import Mail
import Platform
import SQLiteStorage
import TestSupport

/// Every store that Postern has. What is written in `Conformance` holds for each of them; a new store is one more case.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case sqlite

    /// Runs `body` on an empty store.
    func withStore(_ body: (any Store) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryStore())
        case .sqlite:
            try await withTemporaryFolder { folder in
                let store = try SQLiteStore.open(path: folder + "/test.sqlite3", role: .serving, logger: .silent)
                defer { store.close() }
                try await body(store)
            }
        }
    }
}

extension Store {
    /// Stores a code, and its mail when asked, in one transaction.
    func issue(_ code: ActionCode, keepingAtMost limit: Int = 5, mail: Bool = false) async throws(StoreError) {
        try await write { transaction throws(StoreError) in
            try transaction.insert(code, keepingAtMost: limit)
            if mail { try transaction.enqueue(.example(for: code)) }
        }
    }

    /// The stored form of a code.
    func stored(_ code: ActionCode) async throws(StoreError) -> ActionCode? {
        try await read { reader throws(StoreError) in try reader.actionCode(code.id, expiresAt: code.expiresAt) }
    }

    /// The states of codes, in the same order; nil for those that are not there.
    func states(_ codes: [ActionCode]) async throws(StoreError) -> [ActionCode.State?] {
        try await read { reader throws(StoreError) in
            var states: [ActionCode.State?] = []
            for code in codes { states.append(try reader.actionCode(code.id, expiresAt: code.expiresAt)?.state) }
            return states
        }
    }
}

/// The moment at which these tests begin.
let start = UnixTime(seconds: 1_796_000_000)
