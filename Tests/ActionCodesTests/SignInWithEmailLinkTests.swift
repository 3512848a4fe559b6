import Accounts
import ActionCodes
import Mail
import Platform
import TestSupport
import Testing

@Suite struct SignInWithEmailLinkTests {
    private let cases: UseCases

    init() throws { cases = try UseCases() }

    private func account(_ name: String, change: (inout User) -> Void = { _ in }) -> User {
        var user = User.example(name, project: "example", createdAt: cases.clock.now)
        change(&user)
        return user
    }

    @Test func makesAnAccount() async throws {
        let code = try await cases.issue("Anna@Example.com").code
        let answer = try await cases.complete(" ANNA@example.com ", code)
        #expect(answer.isNewUser)
        let user = try #require(try await cases.user(answer.signedIn.user.id))
        #expect(user == answer.signedIn.user)
        #expect(user.email?.text == "anna@example.com" && user.emailVerified && user.emailLinkSignIn)
        #expect(user.lastLoginAt == cases.clock.now && user.createdAt == cases.clock.now)
        let claims = try cases.verifier.verify(answer.signedIn.idToken, policy: AccountPolicy(projectID: "example"), now: cases.clock.now)
        #expect(claims.userID == user.id && claims.signInProvider == "password")
    }

    @Test func findsTheAccountThatThereIs() async throws {
        try await cases.add(account("anna"))
        let code = try await cases.issue("anna@example.com").code
        let answer = try await cases.complete("anna@example.com", code)
        #expect(!answer.isNewUser)
        #expect(answer.signedIn.user.id == "anna")
    }

    @Test func worksOnce() async throws {
        let code = try await cases.issue("anna@example.com").code
        _ = try await cases.complete("anna@example.com", code)
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == .invalidOobCode)
    }

    @Test func oneOfFiftyConcurrentCompletionsWins() async throws {
        for _ in 0..<5 {
            let code = try await cases.issue("anna@example.com").code
            let cases = cases
            let outcomes = await withTaskGroup(of: ActionCodeError?.self) { group in
                for _ in 0..<50 { group.addTask { await refusal { try await cases.complete("anna@example.com", code) } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.count { $0 == .invalidOobCode } == 49)
        }
        let now = cases.clock.now
        #expect(
            try await cases.store.read { reader throws(StoreError) in try reader.users(after: nil, limit: 9, project: "example") }.count
                == 1)
        #expect(try await cases.liveCodes().isEmpty, "\(now)")
    }

    @Test(arguments: 1...5) func countsMisses(_ misses: Int) async throws {
        let code = try await cases.issue("anna@example.com").code
        for number in 1...misses {
            let wrong = number.isMultiple(of: 2) ? "no address" : "bob@example.com"
            #expect(await refusal { try await cases.complete(wrong, code) } == .emailMismatch)
        }
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == (misses < 5 ? nil : .invalidOobCode))
    }

    @Test func aProjectMayAllowFewerMisses() async throws {
        var project = try Project.example
        project.completionsPerCode = 1
        let code = try await cases.issue("anna@example.com").code
        #expect(await refusal { try await cases.complete("bob@example.com", code, project: project) } == .emailMismatch)
        #expect(await refusal { try await cases.complete("anna@example.com", code, project: project) } == .invalidOobCode)
    }

    @Test func refusesADisabledOwnerAndBurnsTheCode() async throws {
        try await cases.add(account("anna") { $0.disabled = true })
        let code = try await cases.issue("anna@example.com").code
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == .userDisabled)
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == .invalidOobCode)
    }

    @Test func linksAnAnonymousAccount() async throws {
        var anonymous = User(id: "anon", projectID: "example", createdAt: cases.clock.now)
        anonymous.displayName = "Kept"
        try await cases.add(anonymous)
        let session = try await cases.signIn(anonymous)
        let code = try await cases.issue("anna@example.com").code
        let answer = try await cases.complete("anna@example.com", code, idToken: session.idToken)
        #expect(!answer.isNewUser)
        let user = try #require(try await cases.user("anon"))
        #expect(user.email?.text == "anna@example.com" && user.emailVerified && user.emailLinkSignIn && user.displayName == "Kept")
        #expect(try await cases.hasSession(session.tokenHash), "nobody else could have sat in it")
    }

    @Test func refusesToLinkAnAddressOfSomebodyElseAndBurnsTheCode() async throws {
        try await cases.add(account("anna"))
        let bob = account("bob")
        try await cases.add(bob)
        let token = try await cases.signIn(bob).idToken
        let code = try await cases.issue("anna@example.com").code
        #expect(await refusal { try await cases.complete("anna@example.com", code, idToken: token) } == .emailExists)
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == .invalidOobCode)
        #expect(try await cases.user("bob") == bob)
    }

    @Test func linkingAnotherAddressEndsOldSessionsAndCodes() async throws {
        let bob = account("bob")
        try await cases.add(bob)
        let session = try await cases.signIn(bob)
        let forBob = try await cases.issue("bob@example.com").code
        let code = try await cases.issue("new@example.com").code
        cases.clock.advance(by: .seconds(1))
        let answer = try await cases.complete("new@example.com", code, idToken: session.idToken)
        #expect(answer.signedIn.user.id == "bob" && answer.signedIn.user.email?.text == "new@example.com")
        #expect(try await !cases.hasSession(session.tokenHash))
        #expect(await refusal { try await cases.complete("bob@example.com", forBob) } == .invalidOobCode)
    }

    @Test func theFirstProofTakesTheAccountOver() async throws {
        let taken = account("anna") {
            $0.emailVerified = false
            $0.passwordHash = "hash"
            $0.phoneNumber = "+491701234567"
        }
        try await cases.add(taken)
        let session = try await cases.signIn(taken)
        let code = try await cases.issue("anna@example.com").code
        cases.clock.advance(by: .seconds(2))
        let answer = try await cases.complete("anna@example.com", code)
        let user = try #require(try await cases.user("anna"))
        #expect(user.passwordHash == nil && user.phoneNumber == nil && user.emailVerified)
        #expect(try await !cases.hasSession(session.tokenHash))
        #expect(try await cases.hasSession(try #require(RefreshToken(answer.signedIn.refreshToken)).hash))
        #expect(user.validSince == UnixTime(seconds: cases.clock.now.seconds))
        #expect(await refusal { try await cases.complete("anna@example.com", code, idToken: session.idToken) } == .account(.tokenExpired))
    }

    /// Whoever waits in an account with a stranger's address may have got a token in the very second in which the owner takes it over.
    @Test func takeOverEndsTokensOfTheSameInstant() async throws {
        let taken = account("anna") { $0.emailVerified = false }
        try await cases.add(taken)
        let code = try await cases.issue("anna@example.com").code
        let early = try await cases.signIn(taken)
        let answer = try await cases.complete("anna@example.com", code)
        let forBob = try await cases.issue("bob@example.com").code
        #expect(
            await refusal { try await cases.complete("bob@example.com", forBob, idToken: early.idToken) } == .account(.tokenExpired))
        #expect(try await cases.user("anna")?.email?.text == "anna@example.com")
        let own = try await cases.complete("bob@example.com", forBob, idToken: answer.signedIn.idToken)
        #expect(own.signedIn.user.id == "anna")
    }

    @Test func laterProofsChangeNothing() async throws {
        let anna = account("anna") { $0.passwordHash = "hash" }
        try await cases.add(anna)
        let session = try await cases.signIn(anna)
        _ = try await cases.complete("anna@example.com", try await cases.issue("anna@example.com").code)
        #expect(try await cases.user("anna")?.passwordHash == "hash")
        #expect(try await cases.hasSession(session.tokenHash))
    }

    @Test func voidsTheOtherCodesOfTheAddressOnly() async throws {
        let first = try await cases.issue("anna@example.com").code
        let second = try await cases.issue("anna@example.com").code
        let others = try await cases.issue("bob@example.com").code
        _ = try await cases.complete("anna@example.com", second)
        #expect(await refusal { try await cases.complete("anna@example.com", first) } == .invalidOobCode)
        #expect(await refusal { try await cases.complete("bob@example.com", others) } == nil)
    }

    @Test func strangersStayOutWhereSignUpIsOff() async throws {
        var project = try Project.example
        project.accounts.allowSignUp = false
        let code = try await cases.issue("anna@example.com", project: project).code
        #expect(await refusal { try await cases.complete("anna@example.com", code, project: project) } == .adminOnlyOperation)
        try await cases.add(account("anna"))
        #expect(await refusal { try await cases.complete("anna@example.com", code, project: project) } == nil)
    }

    @Test func expiresToTheSecond() async throws {
        let code = try await cases.issue("anna@example.com").code
        cases.clock.advance(by: .seconds(6 * 3600 - 1))
        #expect(await refusal { try await cases.complete("bob@example.com", code) } == .emailMismatch)
        cases.clock.advance(by: .seconds(1))
        #expect(await refusal { try await cases.complete("anna@example.com", code) } == .expiredOobCode)
    }

    @Test func codesOfOtherOperationsAreNoSignIn() async throws {
        for operation in ActionCodes.Operation.allCases where operation != .signIn {
            let code = ActionCode.example(
                UInt64(operation.rawValue), project: "example", operation: operation, createdAt: cases.clock.now)
            try await cases.store.write { transaction throws(StoreError) in try transaction.insert(code, keepingAtMost: 5) }
            let text = OOBCode.text(for: code, keys: cases.keys)
            #expect(await refusal { try await cases.complete("anna@example.com", text) } == .invalidOobCode)
        }
        #expect(try await cases.liveCodes().count == 5, "and none was spent")
    }
}
