internal import Mail
public import Platform

/// Looks at a code without spending it.
public struct CheckActionCode: Sendable {
    private let store: any Store
    private let keys: KeyRing
    private let clock: WallClock

    /// Takes what the use case works with.
    public init(store: any Store, keys: KeyRing, clock: WallClock) {
        self.store = store
        self.keys = keys
        self.clock = clock
    }

    /// The stored code behind a genuine `oobCode`, live or not; forged and expired ones are refused without asking the store.
    public func callAsFunction(_ oobCode: String, project: Project) async throws(ActionCodeError) -> ActionCode {
        guard !oobCode.isEmpty else { throw .missingOobCode }
        let code: OOBCode
        do {
            code = try OOBCode(oobCode, projectID: project.id, keys: keys, now: clock.now())
        } catch {
            throw error.asActionCodeError
        }
        return try await stored(code)
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
