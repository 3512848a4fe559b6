import Accounts
import ActionCodes
import Crypto
import FoundationEssentials
import Mail
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct UpdateAccountAndCodesTests {
    private let store = MemoryStore()
    private let project: Project
    private let update: UpdateAccount
    private let passwords = PasswordHashing(atOnce: 1, cost: .minimal, randomness: .seeded(7))
    private let now = UnixTime(seconds: 1_796_000_000)

    init() async throws {
        let project = try Project.example
        let clock = WallClock { [now] in now }
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-codes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = try TokenKeys(folder: folder.path, algorithm: .es256, clock: clock)
        self.project = project
        update = UpdateAccount(
            store: store, policy: project.accounts, issuer: IDTokenIssuer(keys: keys, clock: clock),
            verifier: IDTokenVerifier(keys: keys), passwords: passwords, clock: clock, randomness: .seeded(1))
        let now = now
        try await store.write { transaction throws(StoreError) in
            try transaction.insert(User.example("anna", project: project.id, createdAt: now))
            try transaction.insert(User.example("berta", project: project.id, createdAt: now))
            try transaction.insert(.example(1, email: .example("anna"), project: project.id, createdAt: now), keepingAtMost: 5)
            try transaction.insert(.example(2, email: .example("berta"), project: project.id, createdAt: now), keepingAtMost: 5)
        }
    }

    /// Keeps what it is told as a mail in the transaction, so that it shows what is stored with the change and what is not.
    private struct Notice: AddressChangeNotice {
        let fails: Bool
        let woken = Count()

        final class Count: Sendable {
            private let number = Mutex(0)
            var value: Int { number.withLock { $0 } }
            func add() { number.withLock { $0 += 1 } }
        }

        func addressReplaced(
            _ former: EmailAddress, of user: User, project: Project, in transaction: any StoreTransaction
        ) throws(StoreError) {
            if fails { throw .unavailable(cause: "disk full") }
            let code = ActionCode.example(
                3, email: former, project: project.id, operation: .recoverEmail, createdAt: user.createdAt)
            try transaction.insert(code, keepingAtMost: 5)
            try transaction.enqueue(.example(for: code))
        }

        func wake() { woken.add() }
    }

    private func change(_ notice: Notice?, _ change: (inout UpdateAccountRequest) -> Void) async throws(AccountError) {
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        request.userID = "anna"
        change(&request)
        _ = try await UpdateAccountAndCodes(store: store, notice: notice)(request, by: update, project: project)
    }

    /// The live codes: their numbers.
    private func live() async throws -> [UInt64] {
        let (id, now) = (project.id, now)
        let codes = try await store.read { reader throws(StoreError) in try reader.liveActionCodes(project: id, now: now) }
        return codes.map { code in (1...3).first { ActionCodeID.example($0) == code.id } ?? 0 }.sorted()
    }

    @Test func aNewPasswordEndsTheAccountsCodes() async throws {
        let notice = Notice(fails: false)
        try await change(notice) { $0.displayName = "Anna" }
        #expect(try await live() == [1, 2])
        try await change(notice) { $0.password = "secret" }
        #expect(try await live() == [2])
        #expect(notice.woken.value == 0)
        passwords.shutDown()
    }

    @Test func aReplacedAddressIsTold() async throws {
        let notice = Notice(fails: false)
        try await change(notice) { $0.email = "new@example.com" }
        // The way back is not among the codes that end.
        #expect(try await live() == [2, 3])
        #expect(try await store.outboxCounts().waiting == 1)
        #expect(notice.woken.value == 1)
        passwords.shutDown()
    }

    @Test func nothingIsChangedWhenTheNoticeCannotBeStored() async throws {
        let notice = Notice(fails: true)
        await #expect(throws: AccountError.store(.unavailable(cause: "disk full"))) {
            try await change(notice) { $0.email = "new@example.com" }
        }
        await #expect(throws: AccountError.emailExists) { try await change(notice) { $0.email = "berta@example.com" } }
        #expect(try await live() == [1, 2])
        let id = project.id
        let anna = try await store.read { reader throws(StoreError) in try reader.user(id: "anna", project: id) }
        #expect(anna?.email == .example("anna"))
        #expect(notice.woken.value == 0)
        passwords.shutDown()
    }
}
