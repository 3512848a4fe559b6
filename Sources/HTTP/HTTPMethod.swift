/// A request method (RFC 9110 section 9); case matters.
public enum HTTPMethod: Sendable, Hashable {
    /// GET.
    case get
    /// HEAD. The responder answers as for GET; the server leaves the body out and keeps its length.
    case head
    /// POST.
    case post
    /// PUT.
    case put
    /// PATCH.
    case patch
    /// DELETE.
    case delete
    /// OPTIONS.
    case options
    /// Any other token, as sent.
    case other(String)

    /// Makes a method out of its token.
    public init(_ token: String) {
        switch token {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "PATCH": self = .patch
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        default: self = .other(token)
        }
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token as it is sent.
    public var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let token): token
        }
    }
}
