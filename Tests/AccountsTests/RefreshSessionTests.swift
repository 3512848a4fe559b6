import Platform
import Testing

@testable import Accounts

@Suite struct RefreshSessionTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    private func refresh(_ token: String?, grant: String? = "refresh_token") async throws(AccountError) -> SignedIn {
        try await fixture.refresh.refresh(RefreshSession.Request(grantType: grant, refreshToken: token))
    }

    @Test func keepsTheSessionAndItsSignIn() async throws {
        let user = fixture.addUser("uid")
        let signedIn = try fixture.signIn(user, provider: "anonymous")
        let sessions = fixture.store.sessions
        fixture.clock.advance(by: .seconds(7200))
        for _ in 0..<2 {
            let refreshed = try await refresh(signedIn.refreshToken)
            #expect(refreshed.refreshToken == signedIn.refreshToken)
            #expect(refreshed.user.id == "uid")
            let claims = try fixture.claims(refreshed.idToken)
            #expect(claims.authTime == UnixTime(seconds: user.createdAt.seconds))
            #expect(claims.issuedAt == UnixTime(seconds: fixture.clock.now.seconds))
            #expect(claims.signInProvider == "anonymous")
        }
        #expect(fixture.store.sessions == sessions)
        #expect(fixture.store.user("uid")?.lastRefreshAt == fixture.clock.now)
        #expect(fixture.store.user("uid")?.lastLoginAt == nil)
    }

    @Test func orderOfChecks() async throws {
        let known = try fixture.signIn(fixture.addUser("uid")).refreshToken
        let unknown = String(repeating: "A", count: 43)
        for (token, grant, expected) in [
            ("bad", nil, AccountError.invalidRefreshToken), (known + "A", "other", .invalidRefreshToken),
            (known + "=", "refresh_token", .invalidRefreshToken), (known, nil, .missingGrantType), (nil, "", .missingGrantType),
            (known, "other", .invalidGrantType), (nil, "REFRESH_TOKEN", .invalidGrantType), (nil, "refresh_token", .missingRefreshToken),
            ("", "refresh_token", .missingRefreshToken), (unknown, "refresh_token", .invalidRefreshToken),
        ] {
            #expect(await refusal { try await refresh(token, grant: grant) } == expected, "\(String(describing: token)), \(grant ?? "-")")
        }
        #expect(try await refresh(known).user.id == "uid")
    }

    @Test func anotherProjectsSession() async throws {
        let user = fixture.addUser("uid", project: "other")
        let token = try fixture.signIn(user).refreshToken
        #expect(await refusal { try await refresh(token) } == .invalidRefreshToken)
    }

    @Test func aSessionWhoseAccountIsGone() async throws {
        let token = try fixture.signIn(User(id: "gone", projectID: "demo", createdAt: fixture.clock.now)).refreshToken
        #expect(await refusal { try await refresh(token) } == .invalidRefreshToken)
    }

    @Test(arguments: [
        (0, true, AccountError.userDisabled), (1, false, .tokenExpired), (1, true, .tokenExpired),
    ])
    func whatHappenedToTheAccountSince(validSinceOffset: Int64, disabled: Bool, expected: AccountError) async throws {
        var user = fixture.addUser("uid")
        let token = try fixture.signIn(user).refreshToken
        user.validSince = UnixTime(seconds: fixture.clock.now.seconds + validSinceOffset)
        user.disabled = disabled
        fixture.store.put(user)
        #expect(await refusal { try await refresh(token) } == expected)
        #expect(fixture.store.user("uid") == user)
    }
}
