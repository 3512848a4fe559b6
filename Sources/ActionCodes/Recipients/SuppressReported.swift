public import Mail
public import Platform

/// Takes a delivery report and keeps further mail from addresses that it proves bad.
public struct SuppressReported: Sendable {
    /// What came of a report.
    public enum Outcome: Sendable, Equatable {
        /// So many addresses get no mail from now on.
        case suppressed(Int)
        /// Genuine, but it says nothing for good about an address: delayed, a full mailbox, a policy.
        case notForGood
        /// Its mail is not ours to this recipient, or it does not say which it is about.
        case foreign
    }

    private let store: any Store
    private let keys: KeyRing
    private let clock: WallClock
    private let projects: [Project]

    /// Takes what the use case works with; reports about mails of other projects are foreign.
    public init(store: any Store, keys: KeyRing, clock: WallClock, projects: [Project]) {
        self.store = store
        self.keys = keys
        self.clock = clock
        self.projects = projects
    }

    /// Suppresses the recipients that the report names, that its token proves, and whose address it calls bad.
    ///
    /// An address to which somebody forwards our mail is not the recipient's: when it fails, nothing is known about the recipient.
    public func callAsFunction(_ report: DeliveryReport) async throws(StoreError) -> Outcome {
        guard let token = report.messageToken else { return .foreign }
        let now = clock.now()
        var isOurs = false
        var suppressions: [Suppression] = []
        for recipient in report.recipients {
            guard let (project, address) = addressee(of: recipient, token: token) else { continue }
            isOurs = true
            guard recipient.isBadAddress else { continue }
            let detail = recipient.diagnostic.isEmpty ? recipient.status?.description ?? "" : recipient.diagnostic
            suppressions.append(Suppression(projectID: project, email: address, cause: .reported, detail: detail, since: now))
        }
        guard isOurs else { return .foreign }
        if suppressions.isEmpty { return .notForGood }
        let proved = suppressions
        try await store.write { transaction throws(StoreError) in
            for suppression in proved { try transaction.suppress(suppression) }
        }
        return .suppressed(proved.count)
    }

    private func addressee(of recipient: DeliveryReport.Recipient, token: [UInt8]) -> (project: String, address: EmailAddress)? {
        for address in recipient.addresses {
            for project in projects where MessageToken.isGenuine(token, projectID: project.id, recipient: address, keys: keys) {
                return (project.id, address)
            }
        }
        return nil
    }
}
