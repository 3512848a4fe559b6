import Accounts
import Mail
import Synchronization
import TestSupport
import Testing

@testable import ActionCodes

/// The rows of wire-contract.md §4.2 and §4.4 that are not about sign-in.
@Suite struct SendTargetTests {
    /// A request in few words.
    struct Case: Sendable, CustomTestStringConvertible {
        var operation: ActionCodes.Operation?
        var email: String?
        var newEmail: String?
        /// Whose ID token: `anna`, `nameless` (has no address), `shut`, `broken`, or nil.
        var token: String?
        var link = false
        var privacy = true
        var expected: ActionCodeError?

        var testDescription: String {
            "\(operation?.mode ?? "-") \(email ?? "-") \(newEmail ?? "-") \(token ?? "-") link=\(link) privacy=\(privacy)"
        }
    }

    private static let nobody = "nobody@example.com"
    private static let anna = "anna@example.com"
    private static let berta = "berta@example.com"

    static let cases: [Case] = [
        // A new password.
        Case(operation: .resetPassword, expected: .missingEmail),
        Case(operation: .resetPassword, email: "", expected: .missingEmail),
        Case(operation: .resetPassword, email: "no address", expected: .invalidEmail),
        Case(operation: .resetPassword, email: anna),
        Case(operation: .resetPassword, email: nobody),
        Case(operation: .resetPassword, email: nobody, privacy: false, expected: .emailNotFound),
        Case(operation: .resetPassword, email: nobody, link: true, expected: .emailNotFound),
        Case(operation: .resetPassword, email: "shut@example.com", privacy: false),
        Case(operation: .resetPassword, email: anna, link: true),
        // To confirm an address: the account's own request.
        Case(operation: .verifyEmail, expected: .account(.invalidIDToken)),
        Case(operation: .verifyEmail, email: anna, expected: .account(.invalidIDToken)),
        Case(operation: .verifyEmail, token: "broken", expected: .account(.invalidIDToken)),
        Case(operation: .verifyEmail, token: "shut", expected: .account(.userDisabled)),
        Case(operation: .verifyEmail, token: "nameless", expected: .missingEmail),
        Case(operation: .verifyEmail, email: nobody, token: "anna"),
        Case(operation: .verifyEmail, token: "anna", link: true),
        // The administrator's.
        Case(operation: .verifyEmail, link: true, expected: .missingEmail),
        Case(operation: .verifyEmail, email: "@", link: true, expected: .invalidEmail),
        Case(operation: .verifyEmail, email: nobody, link: true, expected: .userNotFound),
        Case(operation: .verifyEmail, email: anna, link: true),
        // To change an address.
        Case(operation: .verifyAndChangeEmail, token: "anna", expected: .missingNewEmail),
        Case(operation: .verifyAndChangeEmail, newEmail: "x", token: "anna", expected: .invalidNewEmail),
        Case(operation: .verifyAndChangeEmail, newEmail: nobody, expected: .account(.missingIDToken)),
        Case(operation: .verifyAndChangeEmail, newEmail: nobody, token: "broken", expected: .account(.invalidIDToken)),
        Case(operation: .verifyAndChangeEmail, newEmail: nobody, token: "nameless", expected: .missingEmail),
        Case(operation: .verifyAndChangeEmail, newEmail: nobody, token: "anna"),
        Case(operation: .verifyAndChangeEmail, newEmail: berta, token: "anna"),
        Case(operation: .verifyAndChangeEmail, newEmail: anna, token: "anna"),
        Case(operation: .verifyAndChangeEmail, newEmail: berta, token: "anna", privacy: false, expected: .emailExists),
        Case(operation: .verifyAndChangeEmail, newEmail: anna, token: "anna", privacy: false, expected: .emailExists),
        Case(operation: .verifyAndChangeEmail, newEmail: berta, token: "anna", link: true, expected: .emailExists),
        Case(operation: .verifyAndChangeEmail, newEmail: nobody, link: true, expected: .missingEmail),
        Case(operation: .verifyAndChangeEmail, email: nobody, newEmail: nobody, link: true, expected: .userNotFound),
        Case(operation: .verifyAndChangeEmail, email: anna, newEmail: nobody, link: true),
    ]

    /// The same accounts for every case.
    private static func world() async throws -> UseCases {
        let world = try UseCases()
        for name in ["anna", "berta", "shut"] {
            var user = User.example(name, project: "example", createdAt: world.clock.now)
            user.disabled = name == "shut"
            try await world.add(user)
        }
        try await world.add(User(id: "nameless", projectID: "example", createdAt: world.clock.now))
        return world
    }

    private static func send(_ item: Case, in world: UseCases) async throws -> (answer: SendOobCode.Answer, project: Project) {
        var request = SendOobCodeRequest()
        request.operation = item.operation
        request.email = item.email
        request.newEmail = item.newEmail
        request.returnOobLink = item.link
        request.isPrivileged = item.link
        if let name = item.token {
            request.idToken = if let user = try await world.user(name) { try await world.signIn(user).idToken } else { "a.b.c" }
        }
        var project = try Project.example
        project.accounts.emailPrivacy = item.privacy
        return (try await world.send(request, project: project), project)
    }

    @Test(arguments: cases) func row(_ item: Case) async throws {
        let world = try await Self.world()
        let refused = await refusal { try await Self.send(item, in: world) }
        #expect(refused == item.expected)
        let codes = try await world.liveCodes()
        let mails = try await world.claim()
        // A refusal writes nothing; what is accepted is one code and, unless the caller has the link, one mail.
        #expect(codes.count == (item.expected == nil ? 1 : 0))
        #expect(mails.count == (item.expected == nil && !item.link ? 1 : 0))
        #expect(world.wakes.load(ordering: .relaxed) == mails.count)
    }

    /// The work of accepting a request is the same whether the address has an account; the difference comes when the mail is composed.
    @Test(arguments: [
        (Case(operation: .resetPassword, email: anna), Case(operation: .resetPassword, email: nobody), "no account"),
        (
            Case(operation: .verifyAndChangeEmail, newEmail: nobody, token: "anna"),
            Case(operation: .verifyAndChangeEmail, newEmail: berta, token: "anna"), "the new address has an account"
        ),
    ]) func knownAndUnknownAreAcceptedAlike(_ sent: Case, _ dropped: Case, _ reason: String) async throws {
        for (item, isSent) in [(sent, true), (dropped, false)] {
            let world = try await Self.world()
            let answer = try await Self.send(item, in: world).answer
            #expect(answer.email == item.email ?? Self.anna && answer.oobCode == nil && answer.oobLink == nil)
            #expect(try await world.liveCodes().count == 1)
            let compositions = try await world.composer().compose(try await world.claim())
            #expect(compositions.count == 1)
            switch compositions.first {
            case .message(let message): #expect(isSent && message.envelope.recipient.text == (item.newEmail ?? item.email))
            case .drop(let why): #expect(!isSent && why == reason)
            case nil: break
            }
        }
    }

    @Test func theMailOfAChangeGoesToTheNewAddressAndTheAnswerNamesTheCurrentOne() async throws {
        let world = try await Self.world()
        let item = Case(operation: .verifyAndChangeEmail, newEmail: " New@Example.COM ", token: "anna")
        #expect(try await Self.send(item, in: world).answer.email == Self.anna)
        let code = try #require(try await world.liveCodes().first)
        #expect((code.email.text, code.newEmail?.text, code.userID) == (Self.anna, "new@example.com", "anna"))
        guard case .message(let message) = try await world.composer().compose(try await world.claim()).first else {
            Issue.record("no mail")
            return
        }
        #expect(message.envelope.recipient.text == "new@example.com")
    }

    @Test func anOldSignInMayNotChangeTheAddress() async throws {
        let world = try await Self.world()
        let user = try #require(try await world.user("anna"))
        var request = SendOobCodeRequest()
        request.operation = .verifyAndChangeEmail
        request.newEmail = Self.nobody
        request.idToken = try await world.signIn(user).idToken
        world.clock.advance(by: .seconds(301))
        #expect(await refusal { try await world.send(request, project: .example) } == .account(.credentialTooOld))
        // It may have its address confirmed, which changes nobody's way in.
        request.operation = .verifyEmail
        #expect(await refusal { try await world.send(request, project: .example) } == nil)
    }

    @Test func aCodeThatAnAccountAskedForIsBoundToIt() async throws {
        let world = try await Self.world()
        for (operation, bound) in [(ActionCodes.Operation.resetPassword, nil), (.verifyEmail, "anna")] as [(_, String?)] {
            _ = try await Self.send(Case(operation: operation, email: Self.anna, link: true), in: world)
            #expect(try await world.liveCodes().first { $0.operation == operation }?.userID == bound)
        }
    }

    @Test(arguments: [ActionCodes.Operation.recoverEmail, .revertSecondFactorAddition])
    func nobodyMayAskForWhatUndoesAChange(_ operation: ActionCodes.Operation) async throws {
        let world = try await Self.world()
        #expect(
            await refusal { try await Self.send(Case(operation: operation, email: Self.anna), in: world) }
                == .notImplemented(requestType: operation.requestType))
    }
}
