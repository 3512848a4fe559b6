import Accounts
import Mail
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct CheckActionCodeTests {
    @Test func whatEachCodeWouldDo() async throws {
        let world = try UseCases()
        try await world.add(.example("anna", email: "now", project: "example", createdAt: world.clock.now))
        let anna = EmailAddress.example("anna")
        let expected: [(ActionCodes.Operation, CheckActionCode.Answer)] = [
            (.signIn, .init(operation: .signIn)),
            (.resetPassword, .init(operation: .resetPassword, email: anna)),
            (.verifyEmail, .init(operation: .verifyEmail, email: anna)),
            (.verifyAndChangeEmail, .init(operation: .verifyAndChangeEmail, email: anna, newEmail: .example("new"))),
            // The address that has taken its place, as production tells it.
            (.recoverEmail, .init(operation: .recoverEmail, email: anna, newEmail: .example("now"))),
        ]
        for (operation, answer) in expected {
            let code = try await world.code(
                operation, for: "anna", newEmail: operation == .verifyAndChangeEmail ? "new" : nil, userID: "anna")
            for _ in 0..<3 { #expect(try await world.check(code.text, project: .example) == answer) }
            #expect(try await world.state(code.stored) == .live)
        }
    }

    @Test func whatCannotBeCompletedIsNotDescribed() async throws {
        let world = try UseCases()
        let code = try await world.code(.resetPassword, for: "anna")
        let late = try await world.code(.resetPassword, for: "anna", lifetime: .seconds(1))
        var linkOnly = try Project.example
        linkOnly.accounts.passwordSignIn = false
        #expect(await refusal { try await world.check(code.text, project: linkOnly) } == .passwordLoginDisabled)
        for (text, expected) in [(nil, .missingOobCode), ("", .missingOobCode), ("x", .invalidOobCode)] as [(String?, ActionCodeError)] {
            #expect(await refusal { try await world.check(text, project: .example) } == expected)
        }
        world.clock.advance(by: .seconds(1))
        #expect(await refusal { try await world.check(late.text, project: .example) } == .expiredOobCode)
        for state in [ActionCode.State.used, .voided, .exhausted] {
            let code = try await world.code(.resetPassword, for: "anna")
            try await world.store.write { transaction throws(StoreError) in _ = try transaction.settle(code.stored, as: state) }
            #expect(await refusal { try await world.check(code.text, project: .example) } == .invalidOobCode)
        }
    }
}
