import Accounts
import ActionCodes
import Crypto
import FoundationEssentials
import Mail
import Platform
import Synchronization
import Templating
import TestSupport

/// The use cases over a store in memory, a clock that stands still, and fast keys.
final class UseCases: Sendable {
    let store = MemoryStore()
    let clock = ManualClock()
    let keys: KeyRing
    let wakes = Atomic<Int>(0)
    let randomness = Randomness.seeded(1)

    private let passwords = PasswordHashing(atOnce: 2, cost: .minimal, randomness: .seeded(2))
    private let tokenKeys: TokenKeys
    private let templates: TemplateLibrary

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(keys: KeyRing = .example) throws {
        self.keys = keys
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-codes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        tokenKeys = try TokenKeys(folder: folder.path, algorithm: .es256, clock: clock.wallClock)
        templates = try TemplateLibrary(
            folder: Self.root.appending(path: "Templates").path, modes: ActionCodes.Operation.offered.map(\.mode))
    }

    deinit { passwords.shutDown() }

    var issuer: IDTokenIssuer { IDTokenIssuer(keys: tokenKeys, clock: clock.wallClock) }
    var verifier: IDTokenVerifier { IDTokenVerifier(keys: tokenKeys) }

    var send: SendOobCode {
        SendOobCode(
            store: store, keys: keys, verifier: verifier, clock: clock.wallClock, randomness: randomness,
            templates: { [templates] in templates }, wakeOutbox: { self.wakes.add(1, ordering: .relaxed) })
    }

    var signIn: SignInWithEmailLink {
        SignInWithEmailLink(
            store: store, keys: keys, issuer: issuer, verifier: verifier, clock: clock.wallClock, randomness: randomness)
    }

    var apply: ApplyActionCode {
        ApplyActionCode(
            store: store, keys: keys, passwords: passwords, clock: clock.wallClock,
            wayBack: WayBackMail(
                keys: keys, clock: clock.wallClock, randomness: randomness, wakeOutbox: { self.wakes.add(1, ordering: .relaxed) }))
    }

    var check: CheckActionCode { CheckActionCode(store: store, keys: keys, clock: clock.wallClock) }

    func composer(
        keys: KeyRing? = nil, project: @escaping @Sendable (String) -> Project? = { _ in try? .example },
        signer: @escaping @Sendable (String) -> DKIMSigner? = { _ in nil }
    ) -> ActionCodeComposer {
        ActionCodeComposer(
            store: store, keys: keys ?? self.keys, clock: clock.wallClock, templates: { [templates] in templates }, project: project,
            signer: signer)
    }

    /// Asks for the link as a privileged caller, so that the test knows it.
    func issue(_ email: String, project: Project? = nil, change: (inout SendOobCodeRequest) -> Void = { _ in }) async throws -> (
        code: String, link: String
    ) {
        var request = Self.request(email)
        request.returnOobLink = true
        request.isPrivileged = true
        change(&request)
        let answer = try await send(request, project: try project ?? .example)
        return (answer.oobCode ?? "", answer.oobLink ?? "")
    }

    static func request(_ email: String) -> SendOobCodeRequest {
        var request = SendOobCodeRequest()
        request.operation = .signIn
        request.email = email
        request.continueURL = "https://example.com/finish"
        return request
    }

    func complete(_ email: String?, _ code: String?, idToken: String? = nil, project: Project? = nil) async throws
        -> SignInWithEmailLink.Answer
    {
        try await signIn(.init(email: email, oobCode: code, idToken: idToken), project: try project ?? .example)
    }

    func add(_ user: User) async throws {
        try await store.write { transaction throws(StoreError) in try transaction.insert(user) }
    }

    func user(_ id: String) async throws -> User? {
        try await store.read { reader throws(StoreError) in try reader.user(id: id, project: "example") }
    }

    /// A session of an account and its tokens.
    func signIn(_ user: User) async throws -> (idToken: String, tokenHash: [UInt8]) {
        let token = RefreshToken.make(randomness)
        let session = NewSession.make(for: user, provider: "password", now: clock.now, token: token).session
        try await store.write { transaction throws(StoreError) in try transaction.insert(session) }
        return (try issuer.issue(for: user, session: session, policy: AccountPolicy(projectID: "example")), token.hash)
    }

    func hasSession(_ tokenHash: [UInt8]) async throws -> Bool {
        try await store.read { reader throws(StoreError) in try reader.session(tokenHash: tokenHash) != nil }
    }

    func liveCodes() async throws -> [ActionCode] {
        let now = clock.now
        return try await store.read { reader throws(StoreError) in try reader.liveActionCodes(project: "example", now: now) }
    }

    func claim() async throws -> [OutboxEntry] {
        try await store.claimOutbox(now: clock.now, limit: 100, owner: "test", leaseEnd: clock.now + .seconds(60))
    }
}

/// What an expression threw; nil when it gave a value.
func refusal<Value>(_ body: () async throws -> Value) async -> ActionCodeError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ActionCodeError
    }
}
