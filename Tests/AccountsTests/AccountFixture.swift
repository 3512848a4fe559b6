import Accounts
import Crypto
import FoundationEssentials
import Glibc
import Mail
import Platform
import Synchronization
import Testing

/// A clock that stands still until told otherwise.
final class ManualClock: Sendable {
    private let time: Mutex<UnixTime>

    init(_ time: UnixTime = UnixTime(milliseconds: 1_800_000_000_750)) {
        self.time = Mutex(time)
    }

    var now: UnixTime { time.withLock { $0 } }
    var wall: WallClock { WallClock { self.now } }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// A folder that goes when the test does.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-accounts-\(UUID().uuidString)")
        path = folder.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func mode(of name: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    func setMode(_ mode: Int, of name: String = "") throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
    }

    func write(_ text: String, as name: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        try setMode(mode, of: name)
    }
}

/// Everything that the use cases of one project need, with fast keys and hashes.
final class AccountFixture: Sendable {
    let clock = ManualClock()
    let store: FakeAccountStore
    let policy: AccountPolicy
    let folder: TemporaryFolder
    let keys: TokenKeys
    let issuer: IDTokenIssuer
    let verifier: IDTokenVerifier
    let passwords = PasswordHashing(atOnce: 1, cost: .minimal, randomness: .seeded(7))
    let randomness = Randomness.seeded(1)

    init(store: FakeAccountStore = FakeAccountStore(), policy: AccountPolicy = AccountPolicy(projectID: "demo")) throws {
        self.store = store
        self.policy = policy
        folder = try TemporaryFolder()
        keys = try TokenKeys(folder: folder.path, algorithm: .es256, clock: clock.wall)
        issuer = IDTokenIssuer(keys: keys, clock: clock.wall)
        verifier = IDTokenVerifier(keys: keys)
    }

    deinit { passwords.shutDown() }

    var signUp: SignUp { signUp(policy) }
    func signUp(_ policy: AccountPolicy) -> SignUp {
        SignUp(
            store: store, policy: policy, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock.wall,
            randomness: randomness)
    }
    var lookup: LookupAccounts { LookupAccounts(store: store, policy: policy, verifier: verifier, clock: clock.wall) }
    var delete: DeleteAccount { DeleteAccount(store: store, policy: policy, verifier: verifier, clock: clock.wall) }
    var refresh: RefreshSession { RefreshSession(store: store, policy: policy, issuer: issuer, clock: clock.wall) }

    var signInWithPassword: SignInWithPassword { signInWithPassword(policy) }
    func signInWithPassword(_ policy: AccountPolicy) -> SignInWithPassword {
        SignInWithPassword(
            store: store, policy: policy, issuer: issuer, passwords: passwords, clock: clock.wall, randomness: randomness)
    }
    var update: UpdateAccount { update(policy) }
    func update(_ policy: AccountPolicy) -> UpdateAccount {
        UpdateAccount(
            store: store, policy: policy, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock.wall,
            randomness: randomness)
    }
    /// The same project with its answers hiding nothing.
    var open: AccountPolicy {
        var open = policy
        open.emailPrivacy = false
        return open
    }

    func claims(_ token: String) throws -> IDTokenClaims { try verifier.verify(token, policy: policy, now: clock.now) }

    /// An account in the store, changed before it gets there.
    @discardableResult
    func addUser(_ id: String, project: String = "demo") -> User {
        addUser(id, project: project) { _ in }
    }

    @discardableResult
    func addUser(_ id: String, project: String = "demo", _ change: (inout User) throws -> Void) rethrows -> User {
        var user = User(id: id, projectID: project, createdAt: clock.now)
        try change(&user)
        store.put(user)
        return user
    }

    /// A signed-in account.
    func signIn(_ user: User, provider: String = "password") throws -> SignedIn {
        let (session, token) = NewSession.make(for: user, provider: provider, now: clock.now, randomness: randomness)
        store.put(session)
        return SignedIn(
            user: user, idToken: try issuer.issue(for: user, session: session, policy: policy), refreshToken: token)
    }
}

/// What an expression threw as an `AccountError`; nil when it gave a value.
func refusal<Value>(_ body: () async throws -> Value) async -> AccountError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? AccountError
    }
}
