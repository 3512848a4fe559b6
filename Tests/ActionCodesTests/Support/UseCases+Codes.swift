import Accounts
import ActionCodes
import Crypto
import Mail
import Platform
import TestSupport

extension UseCases {
    /// Puts a code of any operation into the store, as if it had been mailed; gives its text.
    func code(
        _ operation: ActionCodes.Operation, for email: String, newEmail: String? = nil, userID: String? = nil,
        lifetime: Duration = .seconds(3600)
    ) async throws -> (text: String, stored: ActionCode) {
        let now = clock.now
        guard let id = ActionCodeID(randomness.bytes(16)) else { preconditionFailure("16 bytes") }
        let code = ActionCode(
            id: id, projectID: "example", operation: operation, email: .example(email), newEmail: newEmail.map(EmailAddress.example),
            userID: userID, settings: ActionCodeSettings(), language: "en", apiKey: "example-web-key", createdAt: now,
            expiresAt: now + lifetime)
        try await store.write { transaction throws(StoreError) in try transaction.insert(code, keepingAtMost: 100) }
        return (OOBCode.text(for: code, keys: keys), code)
    }

    /// The state of a code now.
    func state(_ code: ActionCode) async throws -> ActionCode.State? {
        try await store.read { reader throws(StoreError) in try reader.actionCode(code.id, expiresAt: code.expiresAt)?.state }
    }

    /// The account that has an address now.
    func owner(of email: String) async throws -> User? {
        try await store.read { reader throws(StoreError) in try reader.user(email: .example(email), project: "example") }
    }

    /// The live way back that was mailed to a replaced address.
    func recovery(of email: String) async throws -> (text: String, stored: ActionCode)? {
        try await liveCodes().last { $0.operation == .recoverEmail && $0.email == .example(email) }.map {
            (OOBCode.text(for: $0, keys: keys), $0)
        }
    }
}
