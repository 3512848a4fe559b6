import Accounts
import ActionCodes
import Mail
import TestSupport
import Testing

/// Every code at every completion: each works at its own only, and a refused one is not spent.
@Suite struct CompletionMatrixTests {
    enum Completion: CaseIterable, Sendable { case signIn, resetPassword, update, inspect }

    @Test(arguments: ActionCodes.Operation.allCases, Completion.allCases)
    func each(_ operation: ActionCodes.Operation, _ completion: Completion) async throws {
        let world = try UseCases()
        var user = User.example("anna", project: "example", createdAt: world.clock.now)
        if operation == .recoverEmail { user.email = .example("now") }
        try await world.add(user)
        let code = try await world.code(
            operation, for: "anna", newEmail: operation == .verifyAndChangeEmail ? "new" : nil,
            userID: operation == .signIn || operation == .resetPassword ? nil : "anna")
        let before = try await world.user("anna")
        let refused = await refusal {
            switch completion {
            case .signIn: _ = try await world.complete("anna@example.com", code.text)
            case .resetPassword: _ = try await world.apply.resetPassword(code.text, newPassword: "123456", project: .example)
            case .update: _ = try await world.apply(code.text, project: .example)
            case .inspect: _ = try await world.check(code.text, project: .example)
            }
        }
        let isRight =
            switch completion {
            case .signIn: operation == .signIn
            case .resetPassword: operation == .resetPassword
            case .update: operation == .verifyEmail || operation == .verifyAndChangeEmail || operation == .recoverEmail
            case .inspect: true
            }
        #expect(refused == (isRight ? nil : .invalidOobCode))
        let isSpent = isRight && completion != .inspect
        #expect(try await world.state(code.stored) == (isSpent ? .used : .live))
        if !isSpent { #expect(try await world.user("anna") == before) }
    }
}
