import Accounts
import ActionCodes
import Crypto
import Mail
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct ApplyActionCodeTests {
    /// An account `anna` at anna@example.com, signed in, with a password and another provider.
    private func world(verified: Bool = true, disabled: Bool = false) async throws -> (UseCases, session: [UInt8]) {
        let world = try UseCases()
        var user = User.example("anna", project: "example", createdAt: world.clock.now)
        user.emailVerified = verified
        user.disabled = disabled
        user.passwordHash = "old"
        user.phoneNumber = "+15550100"
        user.federatedProviders = [FederatedProvider(providerID: "google.com", rawID: "1")]
        try await world.add(user)
        let session = try await world.signIn(user).tokenHash
        world.clock.advance(by: .seconds(10))
        return (world, session)
    }

    private func matches(_ password: String, _ user: User?) throws -> Bool {
        try PasswordHash(encoded: user?.passwordHash ?? "")?.matches(password) ?? false
    }

    // MARK: A new password

    @Test(arguments: [true, false]) func aNewPasswordMakesTheAccountTheOwnersAlone(_ verified: Bool) async throws {
        let (world, session) = try await world(verified: verified)
        let code = try await world.code(.resetPassword, for: "anna")
        let signIn = try await world.code(.signIn, for: "anna")
        let other = try await world.code(.resetPassword, for: "berta")
        let answer = try await world.apply.resetPassword(code.text, newPassword: "correct horse", project: .example)
        #expect((answer.operation, answer.email) == (.resetPassword, .example("anna")))
        let user = try #require(try await world.user("anna"))
        #expect(answer.user == user)
        #expect(try matches("correct horse", user))
        #expect(user.emailVerified && user.federatedProviders.isEmpty)
        // The first proof of ownership takes what was attached without one (DESIGN.md §1).
        #expect((user.phoneNumber == nil) == !verified)
        #expect(user.passwordUpdatedAt == world.clock.now)
        #expect(user.validSince == UnixTime(seconds: world.clock.now.seconds))
        #expect(try await !world.hasSession(session))
        #expect(try await world.state(code.stored) == .used)
        #expect(try await world.state(signIn.stored) == .voided)
        #expect(try await world.state(other.stored) == .live)
    }

    @Test func aWeakPasswordSpendsNothing() async throws {
        let (world, session) = try await world()
        let code = try await world.code(.resetPassword, for: "anna")
        // Five characters as UTF-16 counts them, though more bytes.
        for weak in ["12345", "äöüßé", "😀😀a"] {
            #expect(
                await refusal { try await world.apply.resetPassword(code.text, newPassword: weak, project: .example) }
                    == .account(.weakPassword))
        }
        #expect(try await world.state(code.stored) == .live)
        #expect(try await world.hasSession(session))
        _ = try await world.apply.resetPassword(code.text, newPassword: "123456", project: .example)
    }

    @Test func refusalsOfANewPassword() async throws {
        let (world, _) = try await world(disabled: true)
        let shut = try await world.code(.resetPassword, for: "anna")
        let gone = try await world.code(.resetPassword, for: "berta")
        let late = try await world.code(.resetPassword, for: "anna", lifetime: .seconds(5))
        func reset(_ text: String?, _ project: Project? = nil) async -> ActionCodeError? {
            await refusal { try await world.apply.resetPassword(text, newPassword: "123456", project: project ?? .example) }
        }
        var linkOnly = try Project.example
        linkOnly.accounts.passwordSignIn = false
        #expect(await reset(nil, linkOnly) == .passwordLoginDisabled)
        #expect(await reset(nil) == .missingOobCode)
        #expect(await reset("") == .missingOobCode)
        #expect(await reset("nonsense") == .invalidOobCode)
        world.clock.advance(by: .seconds(6))
        #expect(await reset(late.text) == .expiredOobCode)
        // Both are spent: whoever held them has proved the address.
        #expect(await reset(shut.text) == .userDisabled)
        #expect(await reset(shut.text) == .invalidOobCode)
        #expect(await reset(gone.text) == .userNotFound)
        #expect(await reset(gone.text) == .invalidOobCode)
        #expect(try await world.user("anna")?.passwordHash == "old")
    }

    @Test func ofParallelResetsOneWinsAndItsPasswordWorks() async throws {
        let (world, _) = try await world()
        let code = try await world.code(.resetPassword, for: "anna")
        let winners = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let password = "password-\(number)"
                    let refused = await refusal {
                        try await world.apply.resetPassword(code.text, newPassword: password, project: .example)
                    }
                    #expect(refused == nil || refused == .invalidOobCode)
                    return refused == nil ? password : nil
                }
            }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(winners.count == 1)
        #expect(try matches(winners[0], await world.user("anna")))
    }

    // MARK: An address confirmed

    @Test func confirmingKeepsPasswordAndSessions() async throws {
        let (world, session) = try await world(verified: false)
        let code = try await world.code(.verifyEmail, for: "anna", userID: "anna")
        let before = try #require(try await world.user("anna"))
        let answer = try await world.apply(code.text, project: .example)
        var expected = before
        expected.emailVerified = true
        #expect(answer.user == expected)
        #expect(try await world.user("anna") == expected)
        #expect(try await world.hasSession(session))
        #expect(try await world.state(code.stored) == .used)
    }

    @Test func aCodeOfAnAccountWorksForNoOtherOneWithItsAddress() async throws {
        let (world, _) = try await world(verified: false)
        for operation in [ActionCodes.Operation.verifyEmail, .verifyAndChangeEmail] {
            let code = try await world.code(operation, for: "anna", newEmail: "new", userID: "an earlier account")
            #expect(await refusal { try await world.apply(code.text, project: .example) } == .invalidOobCode)
            #expect(try await world.state(code.stored) == .used)
        }
        #expect(try await world.user("anna")?.emailVerified == false)
    }

    @Test(arguments: [ActionCodes.Operation.verifyEmail, .verifyAndChangeEmail, .recoverEmail])
    func aShutAccountStaysAsItIs(_ operation: ActionCodes.Operation) async throws {
        let (world, _) = try await world(verified: false, disabled: true)
        let code = try await world.code(operation, for: "anna", newEmail: operation == .verifyAndChangeEmail ? "new" : nil, userID: "anna")
        let before = try await world.user("anna")
        #expect(await refusal { try await world.apply(code.text, project: .example) } == .userDisabled)
        #expect(try await world.user("anna") == before)
    }

    // MARK: An address changed, and back

    private func change(_ world: UseCases, _ from: String, to: String, account: String = "anna") async throws {
        let code = try await world.code(.verifyAndChangeEmail, for: from, newEmail: to, userID: account)
        _ = try await world.apply(code.text, project: .example)
        world.clock.advance(by: .seconds(10))
    }

    @Test func aChangeProvesTheNewAddressAndMailsAWayBack() async throws {
        let (world, session) = try await world(verified: false)
        let code = try await world.code(.verifyAndChangeEmail, for: "anna", newEmail: "new", userID: "anna")
        let ofOld = try await world.code(.resetPassword, for: "anna")
        let ofNew = try await world.code(.signIn, for: "new")
        let answer = try await world.apply(code.text, project: .example)
        #expect((answer.email, answer.newEmail) == (.example("anna"), .example("new")))
        let user = try #require(try await world.user("anna"))
        #expect((user.email, user.emailVerified, user.initialEmail) == (.example("new"), true, .example("anna")))
        #expect(user.validSince == UnixTime(seconds: world.clock.now.seconds))
        #expect(user.passwordHash == "old")
        #expect(try await !world.hasSession(session))
        #expect(try await world.state(ofOld.stored) == .voided)
        #expect(try await world.state(ofNew.stored) == .voided)
        #expect(world.wakes.load(ordering: .relaxed) == 1)

        let compositions = try await world.composer().compose(try await world.claim())
        guard case .message(let message) = compositions.first, compositions.count == 1 else {
            Issue.record("\(compositions)")
            return
        }
        #expect(message.envelope.recipient == .example("anna"))
        let text = String(decoding: message.bytes, as: UTF8.self)
        #expect(text.contains("Your address for Example was changed") && text.contains("new@example.com"))
        #expect(try await world.recovery(of: "anna") != nil)
    }

    @Test func theFirstAddressIsKeptAsTheInitialOne() async throws {
        let (world, _) = try await world()
        try await change(world, "anna", to: "second")
        try await change(world, "second", to: "third")
        #expect(try await world.user("anna")?.initialEmail == .example("anna"))
    }

    @Test func anAddressThatWasTakenMeanwhileSpendsTheCode() async throws {
        let (world, session) = try await world()
        let code = try await world.code(.verifyAndChangeEmail, for: "anna", newEmail: "new", userID: "anna")
        try await world.add(.example("new", project: "example", createdAt: world.clock.now))
        #expect(await refusal { try await world.apply(code.text, project: .example) } == .emailExists)
        #expect(try await world.state(code.stored) == .used)
        #expect(try await world.user("anna")?.email == .example("anna"))
        #expect(try await world.hasSession(session))
        #expect(try await world.claim().isEmpty)
    }

    @Test func ofTwoChangesToOneAddressOneWins() async throws {
        let (world, _) = try await world()
        try await world.add(.example("berta", project: "example", createdAt: world.clock.now))
        for round in 0..<20 {
            let from = [try #require(try await world.user("anna")?.email), try #require(try await world.user("berta")?.email)]
            let names = from.map { String($0.text.prefix { $0 != "@" }) }
            let codes = [
                try await world.code(.verifyAndChangeEmail, for: names[0], newEmail: "goal\(round)", userID: "anna"),
                try await world.code(.verifyAndChangeEmail, for: names[1], newEmail: "goal\(round)", userID: "berta"),
            ]
            let refusals = await withTaskGroup(of: ActionCodeError?.self) { group in
                for code in codes { group.addTask { await refusal { try await world.apply(code.text, project: .example) } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // The loser's code is voided with the others of the address, or finds it taken.
            #expect(refusals.count { $0 == nil } == 1)
            #expect(refusals.allSatisfy { $0 == nil || $0 == .emailExists })
        }
    }

    @Test func recoveringGivesTheAddressBack() async throws {
        let (world, _) = try await world()
        try await change(world, "anna", to: "thief")
        let user = try #require(try await world.user("anna"))
        let session = try await world.signIn(user).tokenHash
        let ofThief = try await world.code(.resetPassword, for: "thief")
        let pending = try await world.code(.verifyAndChangeEmail, for: "thief", newEmail: "elsewhere", userID: "anna")
        let recovery = try #require(try await world.recovery(of: "anna"))
        let answer = try await world.apply(recovery.text, project: .example)
        #expect((answer.operation, answer.email, answer.newEmail) == (.recoverEmail, .example("anna"), nil))
        let back = try #require(try await world.user("anna"))
        #expect((back.email, back.emailVerified) == (.example("anna"), true))
        #expect(back.validSince == UnixTime(seconds: world.clock.now.seconds))
        #expect(try await !world.hasSession(session))
        #expect(try await world.state(recovery.stored) == .used)
        #expect(try await world.state(ofThief.stored) == .voided)
        #expect(try await world.state(pending.stored) == .voided)
    }

    /// A thief changes the address twice. The owner's way back outlives that, and a step back by the thief too; and it ends the thief's.
    @Test(arguments: [false, true]) func anOlderAddressOutranksANewerOne(_ thiefGoesBackFirst: Bool) async throws {
        let (world, _) = try await world()
        try await change(world, "anna", to: "thief1")
        try await change(world, "thief1", to: "thief2")
        let owners = try #require(try await world.recovery(of: "anna"))
        let thiefs = try #require(try await world.recovery(of: "thief1"))
        if thiefGoesBackFirst {
            _ = try await world.apply(thiefs.text, project: .example)
            #expect(try await world.user("anna")?.email == .example("thief1"))
        }
        #expect(try await world.state(owners.stored) == .live)
        _ = try await world.apply(owners.text, project: .example)
        #expect(try await world.user("anna")?.email == .example("anna"))
        #expect(try await world.state(thiefs.stored) == (thiefGoesBackFirst ? .used : .voided))
        #expect(try await world.liveCodes().isEmpty)
    }

    /// The replaced address is free: whoever gives it to throwaway accounts must not end the way back by that.
    @Test func theWayBackSurvivesOthersAtTheReplacedAddress() async throws {
        let (world, _) = try await world()
        try await change(world, "anna", to: "thief")
        for number in 0..<8 {
            var throwaway = User(id: "throwaway\(number)", projectID: "example", createdAt: world.clock.now)
            throwaway.email = .example("anna")
            try await world.add(throwaway)
            try await change(world, "anna", to: "dump\(number)", account: throwaway.id)
        }
        let codes = try await world.liveCodes().filter { $0.operation == .recoverEmail && $0.userID == "anna" }
        #expect(codes.count == 1)
        _ = try await world.apply(OOBCode.text(for: try #require(codes.first), keys: world.keys), project: .example)
        #expect(try await world.user("anna")?.email == .example("anna"))
    }

    @Test func recoveringIntoATakenAddressOrForNobody() async throws {
        let (world, _) = try await world()
        try await change(world, "anna", to: "second")
        let recovery = try #require(try await world.recovery(of: "anna"))
        try await world.add(.example("other", email: "anna", project: "example", createdAt: world.clock.now))
        #expect(await refusal { try await world.apply(recovery.text, project: .example) } == .emailExists)
        #expect(try await world.state(recovery.stored) == .used)
        for userID in [nil, "nobody"] {
            let code = try await world.code(.recoverEmail, for: "free", userID: userID)
            #expect(await refusal { try await world.apply(code.text, project: .example) } == .invalidOobCode)
        }
    }

    // MARK: Keys, projects and time

    @Test func aCodeOfAnotherKeyOrProjectOrTimeIsNone() async throws {
        let (world, _) = try await world(verified: false)
        let code = try await world.code(.verifyEmail, for: "anna", userID: "anna")
        var other = try Project.example
        other.id = "other"
        #expect(await refusal { try await world.apply(code.text, project: other) } == .invalidOobCode)
        let foreign = OOBCode.text(for: code.stored, keys: .foreign)
        #expect(await refusal { try await world.apply(foreign, project: .example) } == .invalidOobCode)
        #expect(await refusal { try await world.apply("", project: .example) } == .missingOobCode)
        world.clock.advance(by: .seconds(3600))
        #expect(await refusal { try await world.apply(code.text, project: .example) } == .expiredOobCode)
        #expect(try await world.state(code.stored) == .live)
    }
}
