import Mail
import Platform
import Testing

@testable import Accounts

/// What a change does; `UpdateAccountRefusalTests` has what is refused.
@Suite struct UpdateAccountTests {
    private let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
        fixture.clock.advance(by: .seconds(-1000))
        try fixture.addUser("anna") { user in
            user.email = try EmailAddress("anna@example.com")
            user.emailVerified = true
            user.emailLinkSignIn = true
            user.passwordHash = "old hash"
            user.displayName = "Anna"
            user.photoURL = "https://example.com/anna.png"
            user.phoneNumber = "+15550100"
            user.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: "g")]
        }
        fixture.clock.advance(by: .seconds(1000))
    }

    private var anna: User { get throws { try #require(fixture.store.user("anna")) } }

    private func signIn() throws -> SignedIn { try fixture.signIn(anna) }

    /// A change by the account's owner, signed in at this moment, where the project hides nothing.
    @discardableResult
    private func owner(_ change: (inout UpdateAccountRequest) -> Void) async throws -> UpdateAccount.Answer {
        var request = UpdateAccountRequest()
        request.idToken = try signIn().idToken
        change(&request)
        return try await fixture.update(fixture.open)(request)
    }

    @discardableResult
    private func administrator(_ change: (inout UpdateAccountRequest) -> Void) async throws -> UpdateAccount.Answer {
        var request = UpdateAccountRequest()
        request.isPrivileged = true
        request.userID = "anna"
        change(&request)
        return try await fixture.update(request)
    }

    @Test func nameAndPictureEndNothing() async throws {
        let before = try anna
        let answer = try await owner {
            $0.displayName = "Anne"
            $0.photoURL = "https://example.com/anne.png"
        }
        var expected = before
        expected.displayName = "Anne"
        expected.photoURL = "https://example.com/anne.png"
        #expect(try anna == expected)
        #expect(answer.user == expected)
        #expect(answer.signedIn == nil && answer.newEmail == nil)
        #expect(fixture.store.sessions.count == 1)
        // Empty removes, absent keeps.
        try await owner { $0.displayName = "" }
        #expect(try anna.displayName == nil)
        #expect(try anna.photoURL == "https://example.com/anne.png")
        try await owner { $0.deletedAttributes = [.photoURL] }
        #expect(try anna.photoURL == nil)
    }

    @Test func aNewPasswordEndsAllOtherSessions() async throws {
        let other = try signIn()
        fixture.clock.advance(by: .seconds(2))
        let answer = try await owner { $0.password = "secret" }
        #expect(try await fixture.passwords.matches("secret", hash: anna.passwordHash))
        #expect(try anna.passwordUpdatedAt == fixture.clock.now)
        #expect(try anna.validSince == UnixTime(seconds: fixture.clock.now.seconds))
        let signedIn = try #require(answer.signedIn)
        #expect(try fixture.claims(signedIn.idToken).authTime == UnixTime(seconds: fixture.clock.now.seconds))
        #expect(try fixture.claims(signedIn.idToken).signInProvider == "password")
        #expect(fixture.store.sessions.map(\.tokenHash) == [RefreshToken(signedIn.refreshToken)?.hash])
        #expect(await refusal { try await fixture.lookup.owner(idToken: other.idToken) } == .tokenExpired)
        #expect(try await fixture.lookup.owner(idToken: signedIn.idToken).id == "anna")
        #expect(try anna.emailVerified)
    }

    @Test func aNewAddressIsUnverifiedAndEndsAllOtherSessions() async throws {
        let answer = try await owner { $0.email = "New@Example.com" }
        let new = try EmailAddress("new@example.com")
        #expect(answer.newEmail == "new@example.com")
        #expect(try anna.email == new)
        #expect(try !anna.emailVerified)
        #expect(try anna.initialEmail == EmailAddress("anna@example.com"))
        #expect(try anna.validSince == UnixTime(seconds: fixture.clock.now.seconds))
        #expect(fixture.store.sessions.map(\.tokenHash) == [RefreshToken(try #require(answer.signedIn).refreshToken)?.hash])
        // The first address is remembered for good.
        try await owner { $0.email = "newer@example.com" }
        #expect(try anna.initialEmail == EmailAddress("anna@example.com"))
    }

    @Test func theSameAddressIsNoChange() async throws {
        let before = try anna
        let answer = try await owner { $0.email = "ANNA@example.com" }
        #expect(try anna == before)
        #expect(answer.signedIn == nil)
        #expect(answer.newEmail == "anna@example.com")
        // With privacy on, too: it tells nothing that the caller does not know.
        var request = UpdateAccountRequest()
        request.idToken = try signIn().idToken
        request.email = "anna@example.com"
        #expect(try await fixture.update(request).user == before)
    }

    @Test func anAnonymousAccountGetsAnAddressWhereNothingIsHidden() async throws {
        let nobody = fixture.addUser("nobody")
        fixture.clock.advance(by: .seconds(3000))
        var request = UpdateAccountRequest()
        request.idToken = try fixture.issuer.issue(
            for: nobody,
            session: Session(
                tokenHash: [], projectID: "demo", userID: "nobody", signInProvider: "anonymous", authTime: nobody.createdAt),
            policy: fixture.policy)
        request.email = "nobody@example.com"
        request.password = "secret"
        let answer = try await fixture.update(fixture.open)(request)
        #expect(try fixture.claims(#require(answer.signedIn).idToken).signInProvider == "password")
        let user = try #require(fixture.store.user("nobody"))
        #expect(user.initialEmail == nil && user.hasPasswordProvider && !user.emailVerified)
    }

    @Test func unlinking() async throws {
        let sessions = fixture.store.sessions.count
        let answer = try await owner { $0.deletedProviders = ["password", "phone", "google.com", "unknown.com"] }
        let user = try anna
        #expect(user.passwordHash == nil && !user.emailLinkSignIn && user.phoneNumber == nil && user.federatedProviders.isEmpty)
        // The address stays, and so do the tokens: clients ask for no others after they have unlinked.
        #expect(user.email?.text == "anna@example.com" && user.emailVerified)
        #expect(answer.signedIn == nil)
        #expect(fixture.store.sessions.count == sessions + 1)
    }

    @Test func takingAttributesAway() async throws {
        try await owner { $0.deletedAttributes = [.password, .displayName] }
        #expect(try anna.passwordHash == nil && anna.displayName == nil)
        #expect(try anna.emailLinkSignIn)
        let answer = try await owner { $0.deletedAttributes = [.email] }
        let user = try anna
        #expect(user.email == nil && !user.emailVerified && !user.emailLinkSignIn)
        #expect(user.initialEmail?.text == "anna@example.com")
        #expect(fixture.store.sessions.map(\.tokenHash) == [RefreshToken(try #require(answer.signedIn).refreshToken)?.hash])
    }

    @Test func whatOnlyAdministratorsSetIsIgnoredFromOthers() async throws {
        let before = try anna
        try await owner {
            $0.userID = "other"
            $0.phoneNumber = "+15550199"
            $0.emailVerified = false
            $0.createdAt = UnixTime(seconds: 1)
            $0.lastLoginAt = UnixTime(seconds: 2)
            $0.validSince = UnixTime(seconds: 3)
        }
        #expect(try anna == before)
    }

    @Test func whatAdministratorsSet() async throws {
        let answer = try await administrator {
            $0.idToken = "ignored"
            $0.email = "new@example.com"
            $0.emailVerified = true
            $0.phoneNumber = "+1 555 0199"
            $0.customAttributes = #"{"role":"admin"}"#
            $0.createdAt = UnixTime(seconds: 1)
            $0.lastLoginAt = UnixTime(milliseconds: 2003)
        }
        let user = try anna
        #expect(user.email?.text == "new@example.com" && user.emailVerified)
        #expect(user.phoneNumber == "+15550199")
        #expect(user.customAttributes == #"{"role":"admin"}"#)
        #expect(user.createdAt == UnixTime(seconds: 1))
        #expect(user.lastLoginAt == UnixTime(milliseconds: 2003))
        // Nobody knows how the account signs in.
        #expect(answer.signedIn == nil)
        try await administrator { $0.customAttributes = "" }
        #expect(try anna.customAttributes == nil)
    }

    @Test func anAdministratorsPasswordSignsIn() async throws {
        _ = try signIn()
        let answer = try await administrator { $0.password = "secret" }
        #expect(try fixture.claims(#require(answer.signedIn).idToken).signInProvider == "password")
        #expect(fixture.store.sessions.count == 1)
        // But not into an account that is shut in the same breath.
        let shut = try await administrator {
            $0.password = "secret"
            $0.disabled = true
        }
        #expect(shut.signedIn == nil && shut.user.disabled)
        #expect(fixture.store.sessions.isEmpty)
    }

    @Test func shuttingAnAccountEndsItsSessionsAndOpeningItDoesNot() async throws {
        let signedIn = try signIn()
        try await administrator { $0.disabled = true }
        #expect(fixture.store.sessions.isEmpty)
        #expect(await refusal { try await fixture.lookup.owner(idToken: signedIn.idToken) } == .userDisabled)
        try await administrator { $0.disabled = false }
        _ = try signIn()
        try await administrator { $0.disabled = false }
        #expect(fixture.store.sessions.count == 1)
    }

    @Test func revokingTokens() async throws {
        let now = fixture.clock.now
        let old = try signIn()
        // One that was signed in later than the time that is named goes on.
        try await administrator { $0.validSince = UnixTime(seconds: now.seconds - 5) }
        #expect(try anna.validSince == UnixTime(seconds: now.seconds - 5))
        #expect(fixture.store.sessions.count == 1)
        // In this very second there is no telling by time.
        try await administrator { $0.validSince = UnixTime(seconds: now.seconds) }
        #expect(fixture.store.sessions.isEmpty)
        fixture.clock.advance(by: .seconds(5))
        let newer = try signIn()
        try await administrator { $0.validSince = UnixTime(seconds: now.seconds + 1) }
        #expect(await refusal { try await fixture.lookup.owner(idToken: old.idToken) } == .tokenExpired)
        #expect(try await fixture.lookup.owner(idToken: newer.idToken).id == "anna")
    }

    @Test func linkingASignIn() async throws {
        try await administrator {
            $0.linkedProvider = .init()
            $0.linkedProvider?.providerID = "google.com"
            $0.linkedProvider?.rawID = "h"
            $0.linkedProvider?.email = "anna@gmail.example"
        }
        // One a provider: the new one takes the old one's place.
        #expect(
            try anna.federatedProviders == [FederatedProvider(providerID: "google.com", rawID: "h", email: "anna@gmail.example")])
    }

    @Test func whatAChangeMeansForCodes() async throws {
        func change(_ change: (inout UpdateAccountRequest) -> Void) async throws -> AccountChange {
            var request = UpdateAccountRequest()
            request.isPrivileged = true
            request.userID = "anna"
            change(&request)
            let prepared = try await fixture.update.prepare(request)
            return try await fixture.store.writeAccounts { transaction throws(StoreError) in try prepared.apply(in: transaction) }.get()
        }
        let name = try await change { $0.displayName = "Anne" }
        #expect(!name.endsActionCodes && name.replacedEmail == nil)
        let password = try await change { $0.password = "secret" }
        #expect(password.endsActionCodes && password.replacedEmail == nil)
        let address = try await change { $0.email = "new@example.com" }
        #expect(address.endsActionCodes && address.replacedEmail?.text == "anna@example.com")
        let again = try await change { $0.email = "newer@example.com" }
        #expect(again.replacedEmail?.text == "new@example.com")
    }
}
