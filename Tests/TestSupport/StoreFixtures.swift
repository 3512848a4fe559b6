public import Accounts
public import ActionCodes
public import Mail
public import Platform

// Values to put into a store: valid, small, and each with what a test wants to differ by.

extension EmailAddress {
    /// `<name>@example.com`.
    public static func example(_ name: String) -> EmailAddress { EmailAddress(storedText: name + "@example.com") }
}

extension ActionCodeID {
    /// The id that holds `number` in its last eight bytes.
    public static func example(_ number: UInt64) -> ActionCodeID {
        let bytes = [UInt8](repeating: 0, count: 8) + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        guard let id = ActionCodeID(bytes) else { preconditionFailure("8 and 8 are 16") }
        return id
    }
}

extension ActionCode {
    /// A live sign-in code that lives an hour.
    public static func example(
        _ number: UInt64, email: EmailAddress = .example("anna"), project: String = "demo", operation: Operation = .signIn,
        createdAt: UnixTime, lifetime: Duration = .seconds(3600), settings: ActionCodeSettings = ActionCodeSettings()
    ) -> ActionCode {
        ActionCode(
            id: .example(number), projectID: project, operation: operation, email: email, settings: settings, language: "en",
            apiKey: "demo-key", createdAt: createdAt, expiresAt: createdAt + lifetime)
    }
}

extension OutboxEntry {
    /// The mail of a code.
    public static func example(for code: ActionCode) -> OutboxEntry {
        OutboxEntry(
            projectID: code.projectID, codeID: code.id.bytes, recipientDomain: code.recipient.domain,
            messageToken: Array(code.id.bytes.suffix(12)), createdAt: code.createdAt, expiresAt: code.expiresAt)
    }
}

extension User {
    /// An account with a verified address.
    public static func example(_ id: String, email: String? = nil, project: String = "demo", createdAt: UnixTime) -> User {
        var user = User(id: id, projectID: project, createdAt: createdAt)
        user.email = .example(email ?? id)
        user.emailVerified = true
        return user
    }
}
