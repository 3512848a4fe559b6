/// Which host names a project lets stand in a request.
public enum DomainPolicy: Sendable, Equatable {
    /// Exactly these, lower case, no wildcard, no port.
    case listed(Set<String>)
    /// Any well-formed one: `postern dev`, for projects without configuration.
    case any

    /// Whether `host` (lower case) may stand in a request. Whole strings are compared, never suffixes.
    public func allows(_ host: String) -> Bool {
        switch self {
        case .listed(let hosts): hosts.contains(host)
        case .any: true
        }
    }
}
