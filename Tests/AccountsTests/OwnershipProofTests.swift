import Mail
import Platform
import Testing

@testable import Accounts

@Suite struct OwnershipProofTests {
    private let now = UnixTime(milliseconds: 1_800_000_000_750)

    private func user(verified: Bool) throws -> User {
        var user = User(id: "uid", projectID: "demo", createdAt: UnixTime(seconds: 1_700_000_000))
        user.email = try EmailAddress("a@example.com")
        user.emailVerified = verified
        user.passwordHash = "hash"
        user.passwordUpdatedAt = UnixTime(seconds: 1_700_000_000)
        user.phoneNumber = "+15550100"
        user.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: "g")]
        user.displayName = "Name"
        user.customAttributes = "{}"
        user.disabled = true
        return user
    }

    @Test(arguments: [false, true])
    func theFirstProofRemovesWhatNobodyProved(linkSignIn: Bool) throws {
        var user = try user(verified: false)
        user.emailLinkSignIn = linkSignIn
        var expected = user
        expected.emailVerified = true
        expected.passwordHash = nil
        expected.passwordUpdatedAt = nil
        expected.phoneNumber = nil
        expected.federatedProviders = []
        expected.endTokens(at: UnixTime(seconds: 1_800_000_000))
        #expect(OwnershipProof.apply(to: &user, now: now))
        #expect(user == expected)
    }

    @Test func laterProofsChangeNothing() throws {
        var user = try user(verified: true)
        let before = user
        #expect(!OwnershipProof.apply(to: &user, now: now))
        #expect(user == before)
    }
}
