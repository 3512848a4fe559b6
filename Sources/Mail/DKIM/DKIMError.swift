/// Why a message could not be signed.
public enum DKIMError: Error, Sendable, Equatable {
    /// The key failed; it was tried when it was loaded, so memory is short. `cause` is for the log and holds nothing secret.
    case signingFailed(selector: String, cause: String)
}

extension DKIMError {
    /// A stable word for programs.
    public var code: String {
        switch self {
        case .signingFailed: "dkim-signing-failed"
        }
    }

    /// The detail for logs.
    public var cause: String? {
        switch self {
        case .signingFailed(_, let cause): cause
        }
    }
}

extension DKIMError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .signingFailed(let selector, _): "The DKIM key with the selector \(selector) could not sign."
        }
    }
}
