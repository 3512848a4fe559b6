internal import Mail
public import Platform

/// "This wasn't me": ends what was mailed to an address and keeps further mail from it for a day.
public struct DisownMail: Sendable {
    private let store: any Store
    private let clock: WallClock

    /// Takes what the use case works with.
    public init(store: any Store, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// The code whose mail holds the link, in whatever state it is; nil when it is kept no more. Changes nothing.
    ///
    /// - Throws: `store`.
    public func inspect(_ link: NotMeLink) async throws(ActionCodeError) -> ActionCode? {
        do {
            return try await store.read { reader throws(StoreError) in try reader.actionCode(link.id, expiresAt: link.expiresAt) }
        } catch {
            throw .store(error)
        }
    }

    /// Voids this code and every other live one of the address that the mail went to, and mutes the address; doing it again lengthens that. Gives
    /// the code, or nil when it is kept no more.
    ///
    /// The ways back to replaced addresses stay: they undo what a stranger did.
    ///
    /// - Throws: `store`.
    public func callAsFunction(_ link: NotMeLink) async throws(ActionCodeError) -> ActionCode? {
        let now = clock.now()
        do {
            return try await store.write { transaction throws(StoreError) in
                guard let code = try transaction.actionCode(link.id, expiresAt: link.expiresAt) else { return nil }
                // A new address's mail belongs to a code of the former one.
                if code.operation != .recoverEmail { _ = try transaction.settle(code, as: .voided) }
                try transaction.voidActionCodes(email: code.recipient, project: code.projectID)
                try transaction.suppress(
                    Suppression(
                        projectID: code.projectID, email: code.recipient, cause: .muted, since: now, until: now + Suppression.muteTime))
                return code
            }
        } catch {
            throw .store(error)
        }
    }
}
