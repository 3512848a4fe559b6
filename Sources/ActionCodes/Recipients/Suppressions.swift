internal import Mail
public import Platform

/// Shows an administrator which addresses of a project get no mail, and lets them have it again.
public struct Suppressions: Sendable {
    /// Some of them.
    public struct Page: Sendable, Equatable {
        /// In the order of their addresses.
        public var suppressions: [Suppression]
        /// Where the next page begins; nil on the last one.
        public var nextPageToken: String?
    }

    /// How many a page has when the request does not say.
    public static let defaultSize = 100
    /// How many a page has at most.
    public static let largestSize = 1000

    private let store: any Store
    private let clock: WallClock

    /// Takes what the use case works with.
    public init(store: any Store, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// A page of them; `pageToken` is the address behind which it begins.
    ///
    /// - Throws: `store`.
    public func callAsFunction(project: Project, size: Int?, pageToken: String?) async throws(ActionCodeError) -> Page {
        let size = min(max(size ?? Self.defaultSize, 1), Self.largestSize)
        let now = clock.now()
        do {
            let found = try await store.read { reader throws(StoreError) in
                try reader.suppressions(project: project.id, after: pageToken, limit: size + 1, now: now)
            }
            let page = Array(found.prefix(size))
            return Page(suppressions: page, nextPageToken: found.count > size ? page.last?.email.text : nil)
        } catch {
            throw .store(error)
        }
    }

    /// Lets an address have mail again; gives whether it had none.
    ///
    /// - Throws: `invalidEmail`, `store`.
    public func release(_ email: String, project: Project) async throws(ActionCodeError) -> Bool {
        let address: EmailAddress
        do { address = try EmailAddress(email) } catch { throw .invalidEmail }
        do {
            return try await store.write { transaction throws(StoreError) in
                try transaction.releaseSuppression(of: address, project: project.id)
            }
        } catch {
            throw .store(error)
        }
    }
}
