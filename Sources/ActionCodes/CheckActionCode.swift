internal import Accounts
public import Mail
public import Platform

/// Looks at a code without spending it.
public struct CheckActionCode: Sendable {
    /// What a code would do.
    public struct Answer: Sendable, Equatable {
        /// What it does.
        public var operation: Operation
        /// The address that it is about; nil for sign-in.
        public var email: EmailAddress?
        /// The address that is to take its place, or has taken it.
        public var newEmail: EmailAddress?
    }

    private let store: any Store
    private let keys: KeyRing
    private let clock: WallClock

    /// Takes what the use case works with.
    public init(store: any Store, keys: KeyRing, clock: WallClock) {
        self.store = store
        self.keys = keys
        self.clock = clock
    }

    /// What a code would do, for `accounts:resetPassword` without a password (wire-contract.md §7).
    ///
    /// - Throws, in this order: `passwordLoginDisabled`, which that endpoint gives for every operation; `missingOobCode`, `invalidOobCode`,
    ///   `expiredOobCode`. Forged and expired codes are refused without asking the store.
    public func callAsFunction(_ oobCode: String?, project: Project) async throws(ActionCodeError) -> Answer {
        guard project.accounts.passwordSignIn else { throw .passwordLoginDisabled }
        let code = try OOBCode.genuine(oobCode, project: project, keys: keys, now: clock.now())
        let found: Answer?
        do {
            found = try await store.read { reader throws(StoreError) in
                guard let stored = try reader.actionCode(code.id, expiresAt: code.expiresAt), stored.state == .live else { return nil }
                switch stored.operation {
                // Whoever holds the code of a sign-in link must know the address: telling it would be half the sign-in.
                case .signIn: return Answer(operation: .signIn)
                case .recoverEmail:
                    let account = try ActionCodeSubject.account(of: stored, in: reader)
                    return Answer(operation: .recoverEmail, email: stored.email, newEmail: account?.email)
                default: return Answer(operation: stored.operation, email: stored.email, newEmail: stored.newEmail)
                }
            }
        } catch {
            throw .store(error)
        }
        guard let found else { throw .invalidOobCode }
        return found
    }

    /// The stored code behind one that was read already.
    public func stored(_ code: OOBCode) async throws(ActionCodeError) -> ActionCode {
        let stored: ActionCode?
        do {
            stored = try await store.read { reader throws(StoreError) in try reader.actionCode(code.id, expiresAt: code.expiresAt) }
        } catch {
            throw .store(error)
        }
        guard let stored else { throw .invalidOobCode }
        return stored
    }
}

extension OOBCode.Rejection {
    var asActionCodeError: ActionCodeError {
        switch self {
        case .forged: .invalidOobCode
        case .expired: .expiredOobCode
        }
    }
}

extension OOBCode {
    /// Reads a code as use cases do.
    static func genuine(_ text: String?, project: Project, keys: KeyRing, now: UnixTime) throws(ActionCodeError) -> OOBCode {
        guard let text, !text.isEmpty else { throw .missingOobCode }
        do { return try OOBCode(text, projectID: project.id, keys: keys, now: now) } catch { throw error.asActionCodeError }
    }
}
