import Accounts
import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct AccountConformanceTests {
    private func full() -> User {
        var user = User.example("anna", createdAt: start + .milliseconds(3))
        user.emailLinkSignIn = true
        user.displayName = "Anna \u{1F511} \"Quote\""
        user.photoURL = "https://img.example.com/a.png"
        user.passwordHash = "$scrypt$ln=15,r=8,p=1$c2FsdA$aGFzaA"
        user.passwordUpdatedAt = start + .seconds(1)
        user.phoneNumber = "+15555550100"
        user.federatedProviders = [
            FederatedProvider(providerID: "google.com", rawID: "1", displayName: "A", email: "a@gmail.example", photoURL: "https://p"),
            FederatedProvider(providerID: "apple.com", rawID: "2"),
        ]
        user.disabled = true
        user.customAttributes = "{\"role\":\"admin\"}"
        user.initialEmail = .example("old")
        user.lastLoginAt = start + .seconds(2)
        user.lastRefreshAt = start + .seconds(3)
        user.validSince = start + .seconds(4)
        return user
    }

    private func insert(_ users: [User], into store: any Store) async throws {
        try await store.writeAccounts { transaction throws(StoreError) in
            for user in users { try transaction.insert(user) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func everyPropertyComesBackByEveryWayIn(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let user = full()
            let anonymous = User(id: "nobody", projectID: "demo", createdAt: start)
            try await insert([user, anonymous, .example("anna", project: "other", createdAt: start)], into: store)
            let found = try await store.readAccounts { reader throws(StoreError) in
                [
                    try reader.user(id: "anna", project: "demo"), try reader.user(email: .example("anna"), project: "demo"),
                    try reader.user(phoneNumber: "+15555550100", project: "demo"),
                    try reader.user(providerID: "google.com", rawID: "1", project: "demo"),
                    try reader.user(providerID: "apple.com", rawID: "2", project: "demo"),
                ]
            }
            #expect(found == Array(repeating: user, count: 5))
            let others = try await store.readAccounts { reader throws(StoreError) in
                [
                    try reader.user(id: "nobody", project: "demo"), try reader.user(id: "anna", project: "third"),
                    try reader.user(email: .example("berta"), project: "demo"),
                    try reader.user(phoneNumber: "+15555550100", project: "other"),
                    try reader.user(providerID: "google.com", rawID: "2", project: "demo"),
                ]
            }
            #expect(others == [anonymous, nil, nil, nil, nil])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anUpdateReplacesAndFreesWhatItGivesUp(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            var user = full()
            try await insert([user], into: store)
            // Once with the identity untouched, once with all of it changed.
            user.lastLoginAt = start + .seconds(77)
            user.displayName = nil
            let signedIn = user
            try await store.writeAccounts { transaction throws(StoreError) in try transaction.update(signedIn) }
            #expect(try await store.readAccounts { reader throws(StoreError) in try reader.user(id: "anna", project: "demo") } == signedIn)
            user.email = .example("new")
            user.phoneNumber = nil
            user.federatedProviders = [FederatedProvider(providerID: "apple.com", rawID: "3")]
            let changed = user
            try await store.writeAccounts { transaction throws(StoreError) in
                try transaction.update(changed)
                try transaction.update(User.example("ghost", createdAt: start))
            }
            let found = try await store.readAccounts { reader throws(StoreError) in
                [
                    try reader.user(email: .example("new"), project: "demo"),
                    try reader.user(providerID: "apple.com", rawID: "3", project: "demo"),
                    try reader.user(email: .example("anna"), project: "demo"),
                    try reader.user(phoneNumber: "+15555550100", project: "demo"),
                    try reader.user(providerID: "google.com", rawID: "1", project: "demo"),
                    try reader.user(id: "ghost", project: "demo"),
                ]
            }
            #expect(found == [changed, changed, nil, nil, nil, nil])
        }
    }

    /// What an account may share with no other of its project.
    enum Unique: CaseIterable {
        case id, email, phoneNumber, provider
    }

    @Test(arguments: StoreKind.allCases, Unique.allCases)
    func identitiesAreUniqueWithinAProject(_ kind: StoreKind, _ what: Unique) async throws {
        try await kind.withStore { store in
            let user = full()
            var other = User.example("berta", createdAt: start)
            switch what {
            case .id: other.id = user.id
            case .email: other.email = user.email
            case .phoneNumber: other.phoneNumber = user.phoneNumber
            case .provider: other.federatedProviders = [user.federatedProviders[1]]
            }
            try await insert([user], into: store)
            let clashing = other
            await #expect(throws: StoreError.self) { try await self.insert([clashing], into: store) }
            #expect(
                try await store.readAccounts { reader throws(StoreError) in try reader.users(after: nil, limit: 9, project: "demo") } == [
                    user
                ])
            var elsewhere = clashing
            elsewhere.projectID = "other"
            try await insert([elsewhere], into: store)
            if what != .id {
                // Nor does an update get there.
                try await insert([.example("berta", createdAt: start)], into: store)
                await #expect(throws: StoreError.self) {
                    try await store.writeAccounts { transaction throws(StoreError) in try transaction.update(clashing) }
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func accountsComeInPages(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let ids = ["B", "a", "C", "b", "A"]
            try await insert(ids.map { .example($0, email: "u\($0)x\(ids.firstIndex(of: $0) ?? 0)", createdAt: start) }, into: store)
            try await insert([.example("Z", project: "other", createdAt: start)], into: store)
            let page: @Sendable (String?) async throws -> [String] = { id in
                try await store.readAccounts { reader throws(StoreError) in try reader.users(after: id, limit: 2, project: "demo") }.map(
                    \.id)
            }
            #expect(try await page(nil) == ["A", "B"])
            #expect(try await page("B") == ["C", "a"])
            #expect(try await page("a") == ["b"])
            #expect(try await page("b") == [])
        }
    }

    /// Three accounts whose fields all sort differently, with ties and gaps.
    private func unordered() -> [User] {
        let rows: [(id: String, name: String?, created: Int, login: Int?, email: String?)] = [
            ("B", "b", 3, 1, "c"), ("a", "B", 1, nil, "b"), ("C", nil, 3, 2, nil), ("b", "b", 2, nil, "A"), ("A", "\u{E9}", 3, 2, "d"),
        ]
        return rows.map { row in
            var user = User(id: row.id, projectID: "demo", createdAt: start + .seconds(row.created))
            user.displayName = row.name
            user.lastLoginAt = row.login.map { start + .seconds($0) }
            user.email = row.email.map { .example($0) }
            return user
        }
    }

    @Test(
        arguments: StoreKind.allCases,
        [
            (UserOrder.ascending(.id), "A B C a b"), (.descending(.id), "b a C B A"), (.ascending(.displayName), "C a B b A"),
            (.descending(.displayName), "A B b a C"), (.ascending(.createdAt), "a b A B C"), (.descending(.createdAt), "A B C b a"),
            (.ascending(.lastLoginAt), "a b B A C"), (.descending(.lastLoginAt), "A C B a b"), (.ascending(.email), "C b a B A"),
            (.descending(.email), "A B a b C"),
        ])
    func accountsComeInAnyOrder(_ kind: StoreKind, _ expected: (order: UserOrder, ids: String)) async throws {
        try await kind.withStore { store in
            try await insert(unordered() + [.example("Z", project: "other", createdAt: start)], into: store)
            let ids = expected.ids.split(separator: " ").map(String.init)
            for (offset, limit) in [(0, 9), (0, 2), (1, 3), (4, 2), (5, 1)] {
                let found = try await store.readAccounts { reader throws(StoreError) in
                    try reader.users(in: expected.order, offset: offset, limit: limit, project: "demo")
                }
                #expect(found.map(\.id) == Array(ids.dropFirst(offset).prefix(limit)), "\(offset), \(limit)")
                #expect(found.allSatisfy { user in unordered().contains(user) })
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func accountsAreCounted(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await insert(unordered() + [.example("Z", project: "other", createdAt: start)], into: store)
            let counts = try await store.readAccounts { reader throws(StoreError) in
                (try reader.userCount(project: "demo"), try reader.userCount(project: "other"), try reader.userCount(project: "third"))
            }
            #expect(counts == (5, 1, 0))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aDeletedAccountTakesItsSessionsAndProvidersAlong(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let user = full()
            let session = Session(
                tokenHash: [UInt8](repeating: 1, count: 32), projectID: "demo", userID: "anna", signInProvider: "password", authTime: start)
            try await insert([user, .example("berta", createdAt: start)], into: store)
            try await store.writeAccounts { transaction throws(StoreError) in try transaction.insert(session) }
            let (first, second) = try await store.writeAccounts { transaction throws(StoreError) in
                (try transaction.deleteUser(id: "anna", project: "demo"), try transaction.deleteUser(id: "anna", project: "demo"))
            }
            #expect(first)
            #expect(!second)
            #expect(try await store.readAccounts { reader throws(StoreError) in try reader.session(tokenHash: session.tokenHash) } == nil)
            // Address, number and providers are free again.
            try await insert([user], into: store)
            #expect(
                try await store.readAccounts { reader throws(StoreError) in try reader.users(after: nil, limit: 9, project: "demo") }.count
                    == 2)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func deletingAllSparesOtherProjects(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let session = Session(
                tokenHash: [1, 2, 3], projectID: "demo", userID: "anna", signInProvider: "emailLink", authTime: start)
            try await insert([full(), .example("berta", createdAt: start), .example("x", project: "other", createdAt: start)], into: store)
            try await store.writeAccounts { transaction throws(StoreError) in
                try transaction.insert(session)
                try transaction.deleteAllUsers(project: "demo")
            }
            let (left, spared, sessions) = try await store.readAccounts { reader throws(StoreError) in
                (
                    try reader.users(after: nil, limit: 9, project: "demo").count,
                    try reader.users(after: nil, limit: 9, project: "other").count, try reader.session(tokenHash: [1, 2, 3])
                )
            }
            #expect(left == 0)
            #expect(spared == 1)
            #expect(sessions == nil)
            try await insert([full()], into: store)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func sessionsComeBackAndEndTogether(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let sessions = (0..<4).map { number in
                Session(
                    tokenHash: [UInt8](repeating: UInt8(number), count: 32), projectID: number == 3 ? "other" : "demo",
                    userID: number == 2 ? "berta" : "anna", signInProvider: "password", authTime: start + .seconds(number))
            }
            let found: @Sendable () async throws -> [Session?] = {
                try await store.readAccounts { reader throws(StoreError) in
                    var found: [Session?] = []
                    for session in sessions { found.append(try reader.session(tokenHash: session.tokenHash)) }
                    return found
                }
            }
            try await store.writeAccounts { transaction throws(StoreError) in
                for session in sessions { try transaction.insert(session) }
            }
            #expect(try await found() == sessions)
            await #expect(throws: StoreError.self) {
                try await store.writeAccounts { transaction throws(StoreError) in try transaction.insert(sessions[0]) }
            }
            let ended = try await store.writeAccounts { transaction throws(StoreError) in
                try transaction.deleteSessions(userID: "anna", project: "demo")
            }
            #expect(ended == 2)
            #expect(try await found() == [nil, nil, sessions[2], sessions[3]])
        }
    }
}
